// An agent that calls a tool of an MCP server: node mcp-client.mjs http://localhost:4000/mcp
// It knows neither Latchkey nor a client id: it finds the one and registers itself for the other.
import { createServer } from 'node:http'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { PORT } = process.env
const [serverUrl] = process.argv.slice(2)
const redirectUrl = `http://localhost:${PORT}/callback`

/** Keeps what the library asks for; an agent that is started again keeps it in a file. */
const kept = {}
const authProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'Weather agent',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => Object.assign(kept, { client }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => Object.assign(kept, { tokens }),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => Object.assign(kept, { verifier }),
  redirectToAuthorization: (address) => console.log(`Open this address: ${address}`),
}

/** The code that the browser brings back. */
const returned = new Promise((resolve) => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, redirectUrl)
    if (pathname !== '/callback') return response.end()
    response.end('You can close this page.')
    server.close()
    resolve(searchParams.get('code'))
  }).listen(PORT, 'localhost')
})

const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider })
  const client = new Client({ name: 'weather-agent', version: '1.0.0' })
  try {
    await client.connect(transport)
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await transport.finishAuth(await returned)
    return connect()
  }
  return client
}

const client = await connect()
const { content } = await client.callTool({ name: 'whoami' })
console.log(`The tool says: ${content[0].text}`)
await client.close()
