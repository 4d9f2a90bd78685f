// A server of the Model Context Protocol whose tools need an access token of Latchkey.
// Register a scope for it: latchkey scope add weather_tools --resource http://localhost:PORT/mcp

import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, PORT } = process.env
const resource = new URL(`http://localhost:${PORT}/mcp`)

const discovery = await fetch(`${ISSUER}.well-known/oauth-authorization-server`)
const keys = createRemoteJWKSet(new URL(`${ISSUER}.well-known/jwks`))

/** Accepts access tokens that are meant for this server. */
const verifier = {
  async verifyAccessToken(token) {
    const options = { issuer: ISSUER, audience: resource.href, typ: 'at+jwt', algorithms: ['ES256'] }
    const { payload } = await jwtVerify(token, keys, options)
    return {
      token,
      clientId: payload.client_id,
      scopes: payload.scope,
      expiresAt: payload.exp,
      extra: { sub: payload.sub },
    }
  },
}

function newServer() {
  const server = new McpServer({ name: 'weather', version: '1.0.0' })
  server.registerTool('whoami', { description: 'Says who calls' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: authInfo.extra.sub }],
  }))
  return server
}

const app = express()
app.use(express.json())
// Clients find Latchkey through the metadata of this resource (RFC 9728).
app.use(
  mcpAuthMetadataRouter({
    oauthMetadata: await discovery.json(),
    resourceServerUrl: resource,
    scopesSupported: ['weather_tools'],
  }),
)
const checked = requireBearerAuth({ verifier, resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource) })
app.post('/mcp', checked, async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  response.on('close', () => transport.close())
  await newServer().connect(transport)
  await transport.handleRequest(request, response, request.body)
})
app.listen(PORT)
