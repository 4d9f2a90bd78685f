/** Stored consents and the buttons that make them (specification 2.6, 4.1). */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { authorizeParameters, authorizePath, Browser, locationOf, obtainCode } from '../support/browser.ts'
import { addUser, serviceForFile, startService } from '../support/service.ts'

let people = 0
const service = await serviceForFile()

/** Somebody who has consented to nothing, signed in. */
async function newcomer(): Promise<{ browser: Browser; consents(): Promise<readonly (readonly string[])[]> }> {
  people += 1
  const username = `person${people}`
  const user = await addUser(service, username)
  const browser = await Browser.signedIn(service, { username })
  const consents = async () => (await service.storage.authorizations.list(user.id)).map(({ scopes }) => scopes)
  return { browser, consents }
}

describe('the answer of the consent page (specification 4.1)', () => {
  for (const value of ['Yes', 'No', 'anything', '0', ' ']) {
    it(`is taken for a yes when submit.Accept is '${value}': any value that is not empty [S2.6.1, S3.17, S4.1.8, S4.1.10]`, async () => {
      const { browser, consents } = await newcomer()
      const form = { ...authorizeParameters(), 'submit.Accept': value }
      const accepted = locationOf(await browser.submit('/connect/authorize', form))
      assert.equal(accepted.origin + accepted.pathname, 'http://localhost:5081/callback')
      assert.ok(accepted.searchParams.get('code'))
      assert.equal((await consents()).length, 1)
    })
  }

  it('without either button is no answer: the page again, no code and nothing stored [S4.1.5, S4.1.13]', async () => {
    const { browser, consents } = await newcomer()
    const neither = locationOf(await browser.submit('/connect/authorize', authorizeParameters()))
    assert.equal(neither.pathname, '/Account/Consent')
    assert.ok(!neither.searchParams.has('code') && !neither.searchParams.has('__RequestVerificationToken'))
    assert.deepEqual(await consents(), [])
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Consent')
  })

  it('of no stores nothing [S3.18]', async () => {
    const { browser, consents } = await newcomer()
    await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Deny': 'No' })
    assert.deepEqual(await consents(), [])
  })
})

describe('a stored consent', () => {
  it('is no answer for one scope more or one fewer (specification 2.6) [S2.6.2, S4.1.6]', async () => {
    const { browser, consents } = await newcomer()
    const scope = 'openid demo_api'
    await browser.allow({ scope })
    assert.deepEqual(
      (await consents()).map((scopes) => scopes.toSorted()),
      [['demo_api', 'openid']],
    )
    assert.ok(locationOf(await browser.get(authorizePath({ scope }))).searchParams.get('code'))
    for (const other of ['openid', 'demo_api', 'openid demo_api offline_access']) {
      assert.equal(locationOf(await browser.get(authorizePath({ scope: other }))).pathname, '/Account/Consent', other)
    }
  })

  it('outlives a restart in the embedded database, and is lost with one in memory (contract 4) [S2.6.3, C4.30]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-consent-'))
    try {
      for (const [url, afterwards] of [
        [`sqlite:${join(folder, 'latchkey.db')}`, 'code'],
        ['sqlite::memory:', 'question'],
      ] as const) {
        const before = await startService({ Database__Url: url })
        await obtainCode(new Browser(before))
        await before.stop()
        await using again = await startService({ Database__Url: url })
        const browser = await Browser.signedIn(again)
        const location = locationOf(await browser.get(authorizePath()))
        assert.equal(location.searchParams.has('code') ? 'code' : 'question', afterwards, url)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
