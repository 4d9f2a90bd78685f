/** `/Account/Self/password` and `/Account/Self/email`: changed by people, told to owners, taken back by them. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { endSessions } from '../../../src/users/changes.ts'
import { Browser, locationOf } from '../../support/browser.ts'
import { mailTo, purposesTo } from '../../support/mails.ts'
import { addUser, password, serviceForFile, type testUser } from '../../support/service.ts'

const service = await serviceForFile({
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
  Accounts__Lockout__KeepsSessions: 'true',
})
// The limits of mails are of an hour.
beforeEach(() => service.advance(3601))

const fresh = 'kT7-vw2q-new'
let number = 0

async function someone(change: Parameters<typeof testUser>[0] = {}) {
  number += 1
  const name = `person${number}`
  return await addUser(service, name, { createdAtMs: service.now(), ...change })
}
const signedIn = (name: string, secret = password) => Browser.signedIn(service, { username: name, password: secret })
const confirm = async (browser: Browser, purpose: string, fields: Readonly<Record<string, string>>) => {
  const { pathname, searchParams } = locationOf(await browser.submit('/Account/Confirm', { purpose, ...fields }))
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
const isIn = async (browser: Browser) => (await browser.self('GET', '')).status === 200
const emailOf = async ({ id }: { readonly id: string }) => (await service.storage.users.find(id))?.email

describe('a password', () => {
  it('is changed with the current one: other sessions end, this browser goes on, the owner is told', async () => {
    const user = await someone()
    const [here, elsewhere] = [await signedIn(user.name), await signedIn(user.name)]
    const before = here.cookies.get('latchkey.session')
    const { status } = await here.self('POST', '/password', { current: password, password: fresh, revoke: false })
    assert.equal(status, 204)
    assert.notEqual(here.cookies.get('latchkey.session'), before)
    assert.deepEqual([await isIn(here), await isIn(elsewhere)], [true, false])
    assert.deepEqual(await purposesTo(service, user.email), ['password_changed'])
    assert.equal((await service.storage.users.find(user.id))?.grantsEndedAtMs, null)
    assert.equal(await isIn(await signedIn(user.name, fresh)), true)
    assert.equal(await isIn(await signedIn(user.name)), false)
    await here.self('POST', '/password', { current: fresh, password: `${fresh}2`, revoke: true })
    assert.notEqual((await service.storage.users.find(user.id))?.grantsEndedAtMs, null)
  })

  it('leaves no session behind when an end of all sessions comes between the change and the new session', async (t) => {
    const user = await someone()
    const browser = await signedIn(user.name)
    const { users } = service.storage
    const record = users.recordSignIn.bind(users)
    t.mock.method(users, 'recordSignIn', async (...args: Parameters<typeof record>) => {
      await users.update(user.id, (stored) => endSessions(stored, service.now() + 1))
      return record(...args)
    })
    const { status } = await browser.self('POST', '/password', { current: password, password: fresh })
    t.mock.restoreAll()
    assert.deepEqual([status, await isIn(browser)], [401, false])
    assert.equal(await isIn(await signedIn(user.name, fresh)), true)
  })

  it('is refused with the reason, and guesses of the current one count like failed sign-ins', async () => {
    const user = await someone()
    const browser = await signedIn(user.name)
    const errorOf = async (body: unknown) => {
      const answer = await browser.self('POST', '/password', body)
      return [answer.status, answer.body.errors?.[0]?.code ?? answer.body.error]
    }
    assert.deepEqual(await errorOf({ current: password, password: 'short' }), [400, 'password_too_short'])
    assert.deepEqual(await errorOf({ current: password, password: 'Password123' }), [400, 'password_common'])
    assert.deepEqual(await errorOf({ current: password, password: `${user.name}12` }), [400, 'password_similar'])
    assert.deepEqual(await errorOf({ current: password }), [400, 'member_missing'])
    for (let guess = 0; guess < 5; guess += 1)
      assert.deepEqual(await errorOf({ current: `wrong-${guess}`, password: fresh }), [400, 'invalid_credentials'])
    // The browser's own budget is spent; the stranger's that follows as well; the right one is not tried while it lasts.
    for (let guess = 0; guess < 5; guess += 1) await errorOf({ current: `wrong-${guess}`, password: fresh })
    assert.deepEqual(await errorOf({ current: password, password: fresh }), [400, 'invalid_credentials'])
    service.advance(601)
    const late = await browser.self('POST', '/password', { current: password, password: fresh })
    assert.deepEqual([late.status, late.body.error], [403, 'reauthentication_required'])
  })

  it('is set for the first time without a current one, and ends what was sent to reset it', async () => {
    const user = await someone()
    const browser = await signedIn(user.name)
    await service.storage.users.update(user.id, (stored) => ({ ...stored, passwordHash: null }))
    const forgetful = new Browser(service)
    await forgetful.submit('/Account/ForgotPassword', { email: user.email })
    const { token } = await mailTo(service, user.email)
    assert.equal((await browser.self('POST', '/password', { password: fresh })).status, 204)
    assert.match(await confirm(forgetful, 'reset', { token }), /error=code_invalid/)
  })
})

describe('an e-mail address', () => {
  it('changes once the new one confirms; the old one is told and undoes it within seven days', async () => {
    const user = await someone()
    const browser = await signedIn(user.name)
    const next = `new-${user.email}`
    assert.equal((await browser.self('POST', '/email', { email: ` ${next} ` })).status, 204)
    assert.equal(await emailOf(user), user.email)
    const { code } = await mailTo(service, next)
    assert.equal(await confirm(browser, 'email', { code }), '/Account/Profile?changed=email')
    assert.equal(await emailOf(user), next)
    assert.deepEqual(await purposesTo(service, next), ['email', 'email_set'])
    const { purpose, token } = await mailTo(service, user.email)
    assert.equal(purpose, 'email_changed_undo')
    service.advance(6 * 86_400)
    assert.equal(
      await confirm(new Browser(service), 'undo', { token }),
      '/Account/ResetPassword?undone=true&ReturnUrl=%2FAccount',
    )
    assert.equal(await emailOf(user), user.email)
    assert.equal((await service.storage.users.find(user.id))?.emailConfirmed, true)
    assert.equal(await isIn(browser), false)
    assert.match(await confirm(new Browser(service), 'undo', { token }), /error=code_invalid/)
  })

  it('is undone after a second change as well, which then cannot be undone', async () => {
    const user = await someone()
    const browser = await signedIn(user.name)
    const [second, third] = [`second-${user.email}`, `third-${user.email}`]
    for (const email of [second, third]) {
      await browser.self('POST', '/email', { email })
      await confirm(browser, 'email', { code: (await mailTo(service, email)).code })
    }
    assert.equal(await emailOf(user), third)
    const [first, later] = [await mailTo(service, user.email), await mailTo(service, second)]
    await confirm(new Browser(service), 'undo', { token: first.token })
    assert.equal(await emailOf(user), user.email)
    assert.match(await confirm(new Browser(service), 'undo', { token: later.token }), /error=code_invalid/)
    assert.equal(await emailOf(user), user.email)
  })

  it('of another account is answered the same, and its owner is told', async () => {
    const [user, other] = [await someone(), await someone()]
    const browser = await signedIn(user.name)
    const [taken, free] = [
      await browser.self('POST', '/email', { email: other.email }),
      await browser.self('POST', '/email', { email: `free-${user.email}` }),
    ]
    assert.deepEqual([taken.status, taken.body], [free.status, free.body])
    assert.deepEqual(await purposesTo(service, other.email), ['email_existing'])
    assert.equal((await browser.self('POST', '/email', { email: 'a@b@c' })).body.errors[0].code, 'email_invalid')
    const injected = await browser.self('POST', '/email', { email: 'a@b.example\r\nBcc: c@d.example' })
    assert.equal(injected.body.errors[0].code, 'email_invalid')
    // The newest alone works, in the browser that asked, or by its link anywhere.
    const { code, token } = await mailTo(service, `free-${user.email}`)
    await browser.self('POST', '/email', { email: `free2-${user.email}` })
    for (const proof of [{ code }, { token }]) assert.match(await confirm(browser, 'email', proof), /code_invalid/)
    const newest = await mailTo(service, `free2-${user.email}`)
    assert.match(await confirm(new Browser(service), 'email', { code: newest.code }), /code_invalid/)
    assert.equal(await confirm(new Browser(service), 'email', { token: newest.token }), '/Account/Login')
    assert.equal(await emailOf(user), `free2-${user.email}`)
  })

  it('that was never confirmed is told nothing, and a name that was the address follows it', async () => {
    const user = await someone({ emailConfirmed: false })
    await service.storage.users.updateNames(user.id, (stored) => ({ ...stored, name: user.email }))
    const browser = await signedIn(user.email)
    await browser.self('POST', '/email', { email: `next-${user.email}` })
    await confirm(browser, 'email', { code: (await mailTo(service, `next-${user.email}`)).code })
    assert.deepEqual(await purposesTo(service, user.email), [])
    assert.equal((await service.storage.users.find(user.id))?.name, `next-${user.email}`)
  })
})
