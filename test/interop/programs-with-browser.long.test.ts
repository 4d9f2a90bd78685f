/** Programs that open a browser: native applications, and agents of the Model Context Protocol (`examples/clients`). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addClient, freePort, startService, type TestService, testScope } from '../support/service.ts'
import { nodeProgram, notInstalled, type ProgramSettings, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

describe('programs that open a browser', { skip: notInstalled }, () => {
  let service: TestService
  let resource: string
  let settings: ProgramSettings
  before(async () => {
    const port = await freePort()
    resource = `http://localhost:${port}/mcp`
    service = await startService({
      OAuth__DynamicRegistration: 'open',
      OAuth__DynamicRegistrationScopes__0: 'weather_tools',
    })
    await service.storage.scopes.create(testScope('weather_tools', { resources: [resource] }))
    settings = { ISSUER: service.issuer, CLIENT_ID: '', CLIENT_SECRET: '', PORT: String(port) }
  })
  after(() => service.stop())

  it('a native application gets its answer at a port of its own choice (RFC 8252 §7.3)', async (t) => {
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
    await addClient(service, {
      id: 'notes',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['profile', 'email', 'offline_access'],
      metadata: { application_type: 'native' },
    })
    const application = await startProgram(nodeProgram('native'), { ...settings, CLIENT_ID: 'notes', PORT: '' })
    t.after(() => application.stop())
    const [, address = ''] = await application.says(/Open this address: (\S+)/)
    const page = await new Visitor().open(address)
    assert.equal(page.text, 'You can close this page.', `${JSON.stringify(page)}\n${application.output()}`)
    await application.says(/Signed in: alice\nSigned out/)
  })

  it('an agent finds the service, registers itself, signs a person in and calls a tool', async (t) => {
    const server = await startProgram(nodeProgram('mcp-server'), settings)
    t.after(() => server.stop())
    const port = String(await freePort())
    const agent = await startProgram([...nodeProgram('mcp-client'), resource], { ...settings, PORT: port })
    t.after(() => agent.stop())
    const [, address = ''] = await agent.says(/Open this address: (\S+)/)
    assert.equal(new URL(address).searchParams.get('resource'), resource)
    const page = await new Visitor().open(address)
    assert.equal(page.text, 'You can close this page.', `${JSON.stringify(page)}\n${agent.output()}`)
    const [, subject] = await agent.says(/The tool says: (\S+)/)
    const alice = await service.storage.users.findByName('alice')
    assert.equal(subject, alice?.id, `${agent.output()}\n${server.output()}`)
  })
})
