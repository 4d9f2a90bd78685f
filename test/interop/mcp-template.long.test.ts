/** What `client add --for mcp-server` prints, published by a server of tools for an agent that knows the server's address alone. */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { workplace } from '../cli/run.ts'
import { serviceFor } from '../support/lifetime.ts'
import { freePort } from '../support/service.ts'
import { printedFolder, ranElsewhere } from './printed.ts'
import { nodeProgram, notInstalled, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

const { tools } = ranElsewhere
/** Of the server that is printed. */
const origin = 'https://tools.example.com'

/** A server with the official library: it publishes what is printed, and asks the service about every token. */
const server = `import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'

const { METADATA, METADATA_URL, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const metadata = JSON.parse(METADATA)
const [issuer] = metadata.authorization_servers
const discovered = await fetch(issuer + '.well-known/oauth-authorization-server')
const { introspection_endpoint } = await discovered.json()

const verifier = {
  async verifyAccessToken(token) {
    const headers = { authorization: 'Basic ' + btoa(CLIENT_ID + ':' + CLIENT_SECRET) }
    const body = new URLSearchParams({ token })
    const answer = await fetch(introspection_endpoint, { method: 'POST', headers, body })
    const { active, client_id: clientId, scope, exp: expiresAt, sub } = await answer.json()
    if (!active) throw new InvalidTokenError('The token is not for this server')
    return { token, clientId, scopes: scope.split(' '), expiresAt, extra: { sub } }
  },
}
const requiredScopes = metadata.scopes_supported
const checked = requireBearerAuth({ verifier, requiredScopes, resourceMetadataUrl: METADATA_URL })

const app = express()
app.use(express.json())
app.get(new URL(METADATA_URL).pathname, (_request, response) => response.json(metadata))
app.post(new URL(metadata.resource).pathname, checked, async (request, response) => {
  const tools = new McpServer({ name: 'tools', version: '1.0.0' })
  tools.registerTool('whoami', { description: 'Says who calls' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: authInfo.extra.sub }],
  }))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  response.on('close', () => transport.close())
  await tools.connect(transport)
  await transport.handleRequest(request, response, request.body)
})
app.listen(PORT, 'localhost')
`

/** In place of the name and the certificate of the server, which no test has: its address is where it listens. */
const names = `const direct = globalThis.fetch
const here = 'http://localhost:' + process.env.TOOLS_PORT
globalThis.fetch = (address, init) => direct(String(address).replace('${origin}', here), init)
`

describe('settings that a template prints for a server of tools', { skip: notInstalled }, () => {
  it(`${tools} lets an agent find the service, register, sign a person in and call a tool, and no token for others in (RFC 9728, RFC 8707)`, async (t) => {
    const place = workplace(t)
    place.nowMs = Date.now()
    const port = String(await freePort())
    const settings = { Server__Port: port, Server__Host: '127.0.0.1', Issuer: `http://localhost:${port}/` }
    const latchkey = async (line: string) => (await place.json(line, { env: settings })) as Record<string, unknown>

    const added = await latchkey(`client add tools --for ${tools}`)
    const secret = String(added.client_secret)
    const { title, code, notes } = added.setup as { title: string; code: string; notes: string[] }
    const commands = notes.flatMap((note) => /latchkey ((?:scope|client) \S+ \S+ \S.*?)(?:\. |$)/.exec(note)?.[1] ?? [])
    assert.equal(commands.length, 2, notes.join('\n'))
    for (const command of commands) await latchkey(command)
    await latchkey('scope add reports --resource https://reports.example/')
    const machine = await latchkey('client add nightly --for machine --scope reports')

    const service = await serviceFor(t, {
      ...settings,
      Database__Url: `sqlite:${join(place.folder, 'data', 'latchkey.db')}`,
      OAuth__DynamicRegistration: 'open',
      OAuth__DynamicRegistrationScopes__0: 'tools',
    })
    const folder = printedFolder(tools)
    await mkdir(folder, { recursive: true })
    t.after(() => rm(folder, { recursive: true, force: true }))
    await writeFile(`${folder}server.mjs`, server)
    await writeFile(`${folder}names.mjs`, names)
    const own = { ISSUER: service.issuer, CLIENT_ID: 'tools', CLIENT_SECRET: secret }
    const toolsPort = String(await freePort())
    const running = await startProgram([process.execPath, `${folder}server.mjs`], {
      ...own,
      METADATA: code,
      METADATA_URL: title,
      PORT: toolsPort,
    })
    t.after(() => running.stop())

    const resource = `${origin}/mcp`
    const [node = '', client = ''] = nodeProgram('mcp-client')
    const agent = await startProgram([node, '--import', `${folder}names.mjs`, client, resource], {
      ...{ ISSUER: '', CLIENT_ID: '', CLIENT_SECRET: '', TOOLS_PORT: toolsPort },
      PORT: String(await freePort()),
    })
    t.after(() => agent.stop())
    const [, address = ''] = await agent.says(/Open this address: (\S+)/)
    const { searchParams } = new URL(address)
    assert.deepEqual([searchParams.get('resource'), searchParams.get('scope')], [resource, 'tools'])
    const page = await new Visitor().open(address)
    assert.equal(page.text, 'You can close this page.', `${JSON.stringify(page)}\n${agent.output()}`)
    const [, subject] = await agent.says(/The tool says: (\S+)/)
    const alice = await service.storage.users.findByName('alice')
    assert.equal(subject, alice?.id, `${agent.output()}\n${running.output()}`)

    const answer = await fetch(`${service.issuer}connect/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`nightly:${machine.client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'reports' }),
    })
    assert.equal(answer.status, 200)
    const { access_token: forAnother } = (await answer.json()) as { access_token: string }
    const call = (headers: Record<string, string>) =>
      fetch(`${running.origin}/mcp`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
    for (const headers of [{}, { authorization: `Bearer ${forAnother}` }]) {
      const refused = await call(headers)
      assert.equal(refused.status, 401)
      const challenge = refused.headers.get('www-authenticate') ?? ''
      assert.match(challenge, /error="invalid_token"/)
      assert.ok(challenge.includes(`resource_metadata="${title}"`), challenge)
    }
  })
})
