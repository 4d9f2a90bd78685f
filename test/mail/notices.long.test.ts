/** What the owner of an account is told, how often, where, and in which words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { loadCatalogue } from '../../src/mail/catalogues.ts'
import { writeMail } from '../../src/mail/rendering.ts'
import { noBrand } from '../../src/protocol/branding/brand.ts'
import { Authenticator } from '../support/authenticator.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { password, serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile({
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})

const tenMinutes = 600_000
const mailsTo = async (address: string, aheadMs = 0) =>
  (await waitingMails(service, aheadMs)).filter(({ to, purpose }) => to === address && purpose !== 'new_browser')
async function signedIn(change: Parameters<typeof testUser>[0]) {
  const user = testUser({ ...change, email: `${change?.name}@example.com` })
  await service.storage.users.create(user)
  const browser = await Browser.signedIn(service, { username: user.name })
  return { user, browser }
}
async function addPasskey(browser: Browser, name: string) {
  const { body } = await browser.self('POST', '/passkeys/options')
  const added = await browser.self('POST', '/passkeys', { name, credential: new Authenticator(service).create(body) })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  return added.body.id as string
}
const written = async ({ to, ...content }: Awaited<ReturnType<typeof mailsTo>>[number], gathered = 0) =>
  writeMail(to, content, await loadCatalogue(content.language), { brand: noBrand, issuer: service.issuer }, gathered)

describe('notices', () => {
  it('are two of a kind in ten minutes however often it happens, and carry no text of whoever acts', async () => {
    const { user, browser } = await signedIn({ name: 'bombed' })
    for (let at = 0; at < 12; at += 1) {
      const id = await addPasskey(browser, `Call 0800 ${at}: visit evil.example`)
      assert.equal((await browser.self('DELETE', `/passkeys/${id}`)).status, 204)
      if (at > 0) continue
      // The first of each kind is sent at once.
      const first = await mailsTo(user.email)
      assert.deepEqual(first.map(({ purpose }) => purpose).toSorted(), ['passkey_added', 'passkey_removed'])
      for (const { id } of first) await service.storage.mails.sent(id)
    }
    assert.deepEqual(await mailsTo(user.email), [])
    const gathered = await mailsTo(user.email, tenMinutes)
    assert.deepEqual(gathered.map(({ purpose }) => purpose).toSorted(), ['passkey_added', 'passkey_removed'])
    for (const mail of gathered) {
      const { subject, text, html } = await written(mail, 11)
      assert.doesNotMatch(subject + text + html, /0800|evil/)
      assert.match(text, /more than once within a few minutes/)
      assert.doesNotMatch((await written(mail)).text, /more than once/)
    }
  })

  it('tell of an authenticator app that is set up, and of one that is removed', async () => {
    const { user, browser } = await signedIn({ name: 'with-an-app' })
    const { body } = await browser.self('POST', '/totp')
    const code = new TOTP({ secret: body.secret }).generate({ timestamp: service.now() })
    assert.equal((await browser.self('POST', '/totp/confirm', { code })).status, 200)
    assert.ok((await mailsTo(user.email)).some(({ purpose }) => purpose === 'second_factor_on'))
    assert.equal((await browser.self('DELETE', '/totp')).status, 204)
    assert.ok((await mailsTo(user.email)).some(({ purpose }) => purpose === 'second_factor_off'))
  })

  it('go to confirmed addresses alone', async () => {
    const { user, browser } = await signedIn({ name: 'typed', emailConfirmed: false })
    await addPasskey(browser, 'Mine')
    const changed = await browser.self('POST', '/password', { current: password, password: 'kT7-vw2q-new' })
    assert.equal(changed.status, 204)
    assert.equal((await browser.self('POST', '/email', { email: 'proven@example.com' })).status, 204)
    const { code = '' } = (await mailsTo('proven@example.com'))[0] ?? {}
    await browser.submit('/Account/Confirm', { purpose: 'email', code })
    assert.equal((await service.storage.users.find(user.id))?.email, 'proven@example.com')
    assert.deepEqual(await mailsTo(user.email, tenMinutes), [])
    await browser.self('POST', '/deletion', { username: 'typed' })
    const purposes = (await mailsTo('proven@example.com', tenMinutes)).map(({ purpose }) => purpose)
    assert.deepEqual(purposes.toSorted(), ['deletion_planned', 'email', 'email_set'])
  })

  it('are in the language of their reader, and never in that of the browser', async () => {
    const [chosen, silent] = [
      await signedIn({ name: 'lina', claims: { locale: 'pl' } }),
      await signedIn({ name: 'ole' }),
    ]
    for (const { browser } of [chosen, silent]) {
      browser.cookies.set('latchkey.language', 'ja')
      await addPasskey(browser, 'Mine')
    }
    assert.equal((await mailsTo(chosen.user.email))[0]?.language, 'pl')
    assert.equal((await mailsTo(silent.user.email))[0]?.language, 'en')
  })

  it('of what others try with an address are in the language of its owner, never of whoever tries', async () => {
    const [thief, chosen, silent] = [
      await signedIn({ name: 'mona' }),
      await signedIn({ name: 'piotr', claims: { locale: 'pl' } }),
      await signedIn({ name: 'rolf' }),
    ]
    const stranger = new Browser(service)
    for (const { cookies } of [thief.browser, stranger]) cookies.set('latchkey.language', 'ja')
    for (const [{ user }, language] of [
      [chosen, 'pl'],
      [silent, 'en'],
    ] as const) {
      await stranger.submit('/Account/Register', { email: user.email, password: 'kT7-vw2q-new' })
      assert.equal((await thief.browser.self('POST', '/email', { email: user.email })).status, 204)
      const told = (await mailsTo(user.email)).map((mail) => [mail.purpose, mail.language])
      assert.deepEqual(told, [
        ['register_existing', language],
        ['email_existing', language],
      ])
    }
  })

  it('are in the language in which somebody registered', async () => {
    const browser = new Browser(service)
    const email = 'neu@example.com'
    browser.cookies.set('latchkey.language', 'de')
    await browser.submit('/Account/Register', { email, password: 'kT7-vw2q-new' })
    const { code = '' } = (await mailsTo(email))[0] ?? {}
    const entered = await browser.submit('/Account/Confirm', { purpose: 'register', code })
    assert.equal(locationOf(entered).pathname, '/')
    browser.cookies.set('latchkey.language', 'ja')
    await addPasskey(browser, 'Mine')
    assert.equal((await mailsTo(email)).at(-1)?.language, 'de')
  })
})
