/** Names of external providers: whatever their case, and with a dash that the environment cannot spell. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { checkProviders } from '../../src/server/doctor/provider-checks.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { openidForFile, throughProvider } from '../support/fake-openid.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const provider = await openidForFile()
const service = await serviceForFile(provider.env('Entra_ID', { DisplayName: 'Entra' }))

describe('a provider whose name has capitals and a dash, set by the environment', () => {
  it('finds the people whose links an import brought by that name, and keeps its callback', async () => {
    const { id: userId } = await addUser(service, 'carol')
    const subject = 'somebody'
    const link = { provider: 'Entra-ID', subject, userId, createdAtMs: service.now() }
    assert.equal(await service.storage.externalLogins.link(link), 'linked')
    const browser = new Browser(service)
    const back = await throughProvider(browser, 'entra-id')
    assert.equal(locationOf(back).pathname, '/Account/ExternalLoginCallback')
    await browser.get(locationOf(back).pathname + locationOf(back).search)
    assert.equal(await browser.userName(), 'carol')
    const asked = provider.requests.find(({ path }) => path === '/token')
    assert.match(asked?.form.get('redirect_uri') ?? '', /\/callback\/login\/Entra-ID$/)
  })

  it('is spoken of by the check of the installation', async () => {
    const [first] = await checkProviders(service.settings, service.now)
    assert.deepEqual([first?.check, first?.status], ['providers', 'ok'])
    assert.match(first?.message ?? '', /^OAuth__External__Entra_ID in the environment sets the provider Entra-ID: /)
  })

  it('comes through a shell', () => {
    const env = { OAuth__External__Entra_ID__ClientId: 'a', 'OAuth__External__Entra-ID__ClientId': 'b' }
    const passed = execFileSync('/bin/sh', ['-c', `${process.execPath} -p 'JSON.stringify(process.env)'`], { env })
    assert.equal(JSON.parse(String(passed)).OAuth__External__Entra_ID__ClientId, 'a')
  })
})
