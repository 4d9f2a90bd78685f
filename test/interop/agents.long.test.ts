/** An agent of the Model Context Protocol with that protocol's own library, client and server (`examples/clients`). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freePort, startService, type TestService, testScope } from '../support/service.ts'
import { nodeProgram, notInstalled, type ProgramSettings, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

describe('agents of the Model Context Protocol', { skip: notInstalled }, () => {
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
