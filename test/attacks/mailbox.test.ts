/** Whoever reads a person's mail, and knows nothing else: the mailbox is one factor, and never both. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { aPasskey } from '../storage/records.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const chosen = 'kT7-vw2q-new'
const service = await serviceForFile({
  Accounts__Registration: 'open',
  Accounts__SecondFactor: 'required',
  Accounts__SecondFactor__Email: 'true',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})

const codeFor = async (address: string) =>
  (await waitingMails(service)).findLast(({ to, code }) => to === address && code !== undefined)?.code ?? ''
const contextIn = async (browser: Browser) =>
  (await (await browser.get('/Account/SecondFactorContext')).json()) as { step?: string; methods?: string[] }
const userIn = async (browser: Browser) => await browser.userName()

/** Chooses a new password with what the mailbox got. */
async function reset(email: string): Promise<Browser> {
  const browser = new Browser(service)
  await browser.submit('/Account/ForgotPassword', { email })
  await browser.submit('/Account/Confirm', { purpose: 'reset', code: await codeFor(email) })
  const response = await browser.submit('/Account/ResetPassword', { password: chosen })
  assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
  return browser
}

describe('the mailbox of a person whose passkey is the second factor', () => {
  it('is not the second factor of the sign-in with the password that it reset', async () => {
    const user = await addUser(service, 'keyed', { emailConfirmed: true })
    const challenge = { id: 'passkey:keyed', expiresAtMs: service.now() + 1000 }
    await service.storage.passkeys.add(aPasskey(user), challenge)
    assert.deepEqual((await contextIn(await reset(user.email))).methods, ['passkey'])
    const thief = await Browser.signedIn(service, { username: 'keyed', password: chosen })
    assert.deepEqual((await contextIn(thief)).methods, ['passkey'])
    await thief.submit('/Account/SecondFactor', { method: 'email' })
    await thief.submit('/Account/SecondFactor', { method: 'email', code: await codeFor(user.email) })
    assert.equal(await userIn(thief), undefined)
  })
})

describe('an account that was made without a password', () => {
  it('sets up a second factor other than the mailbox that confirmed it, and is entered then', async () => {
    const [browser, email] = [new Browser(service), 'bare@example.com']
    await browser.submit('/Account/Register', { email, username: 'bare' })
    const confirmed = await browser.submit('/Account/Confirm', { purpose: 'register', code: await codeFor(email) })
    assert.equal(locationOf(confirmed).pathname, '/Account/SecondFactor')
    assert.equal((await contextIn(browser)).step, 'enrolment')
    const started = await browser.self('POST', '/totp', {})
    assert.equal(started.status, 200, JSON.stringify(started.body))
    const code = new TOTP({ secret: started.body.secret }).generate({ timestamp: service.now() })
    assert.equal((await browser.self('POST', '/totp/confirm', { code })).status, 200)
    assert.equal(await userIn(browser), 'bare')
  })
})
