/** The example programs for a terminal and for machines, as the recipes have them. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { root } from '../repository/sources.ts'
import { Browser } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const { scopes } = service.storage
await scopes.create(testScope('profile'))
const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'] as const
await addClient(service, { id: 'notes-cli', grantTypes, redirectUris: [], scopes: ['profile'] })
const authentication = bySecret(hashSecret('machine-secret'))
const machine = { id: 'nightly', grantTypes: ['client_credentials'] as const, redirectUris: [], authentication }
await addClient(service, machine)

function start(program: string, env: Readonly<Record<string, string>>): { child: ChildProcess; said: () => string } {
  let text = ''
  const child = spawn(process.execPath, [join(root, 'examples/clients', program)], {
    env: { ...process.env, ISSUER: service.issuer, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  return { child, said: () => text }
}

describe('the example program', () => {
  it('for a terminal shows a code, and is signed in when the user has allowed it (RFC 8628)', async () => {
    const { child, said } = start('command-line.mjs', { CLIENT_ID: 'notes-cli' })
    const ended = once(child, 'close')
    while (!said().includes('user_code=')) await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    const code = /enter the code (\S+)/.exec(said())?.[1] ?? ''
    const browser = await Browser.signedIn(service)
    const answered = await browser.submit('/Account/Device', { user_code: code, 'submit.Accept': 'Yes' })
    assert.equal(answered.headers.get('location'), '/Account/Device?outcome=allowed')
    assert.deepEqual((await ended)[0], 0)
    assert.match(said(), /Signed in as alice/)
  })

  it('for machines calls an API with a token of its own (RFC 6749 §4.4)', async () => {
    const env = { CLIENT_ID: 'nightly', CLIENT_SECRET: 'machine-secret', API: `${service.issuer}weatherforecast` }
    const { child, said } = start('machine.mjs', env)
    assert.deepEqual((await once(child, 'close'))[0], 0)
    assert.match(said(), /^200 \[\{"date"/)
  })
})
