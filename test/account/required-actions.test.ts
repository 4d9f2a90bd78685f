/** What a sign-in asks before there is a session: required actions, and a second factor that did not come (connections, section 7). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { recoveryLink } from '../../src/mail/operator-mails.ts'
import { isRefusal } from '../../src/refusal.ts'
import { changeUser } from '../../src/users/changes.ts'
import type { User } from '../../src/users/user.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { mailTo, purposesTo } from '../support/mails.ts'
import { password, serviceForFile, testUser, userNamed } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' })
const newPassword = 'a wholly new phrase 7'
const place = '/Account?x=1'

let count = 0
async function person(change: Partial<User> = {}): Promise<User> {
  count += 1
  const name = `person${count}`
  const user = testUser({ name, email: `${name}@acme.example`, ...change })
  assert.equal(await service.storage.users.create(user), 'created')
  return user
}
const nameIn = async (browser: Browser) => (await browser.userName()) ?? null
const signIn = (browser: Browser, { name: username }: User, secret = password) =>
  browser.signIn({ username, password: secret, ReturnUrl: place })
const at = (response: Response) => {
  const { pathname, search } = locationOf(response)
  return pathname + search
}
const sessionsOf = async ({ id }: User) => (await service.storage.users.dependents(id, service.now())).sessions

/** Sets up an authenticator app in the middle of a sign-in. */
async function enrol(browser: Browser) {
  const { secret } = (await browser.self('POST', '/totp', {})).body
  const code = new TOTP({ secret }).generate({ timestamp: service.now() })
  return browser.self('POST', '/totp/confirm', { code })
}

describe('a required action', () => {
  it('update_password takes a new password before there is a session, and another one than before', async () => {
    const user = await person({ requiredActions: ['update_password'] })
    const browser = new Browser(service)
    assert.equal(at(await signIn(browser, user)), '/Account/ResetPassword?step=update_password')
    assert.deepEqual([await nameIn(browser), await sessionsOf(user)], [null, 0])
    const update = (secret: string) => browser.submit('/Account/ResetPassword', { password: secret, revoke: 'true' })
    assert.equal(locationOf(await update('short')).searchParams.get('error'), 'password_too_short')
    assert.equal(locationOf(await update(password)).searchParams.get('error'), 'password_same')
    assert.equal(at(await update(newPassword)), place)
    assert.equal(await nameIn(browser), user.name)
    assert.equal((await userNamed(service, user.name)).requiredActions, undefined)
    assert.deepEqual(await purposesTo(service, user.email), ['password_changed', 'new_browser'])
    assert.equal(at(await signIn(new Browser(service), user, newPassword)), place)
  })

  it('verify_email takes the code of a mail, and confirms the address', async () => {
    const user = await person({ requiredActions: ['verify_email'], emailConfirmed: false })
    const browser = new Browser(service)
    assert.equal(at(await signIn(browser, user)), '/Account/Confirm?purpose=email&step=verify_email')
    assert.equal(await nameIn(browser), null)
    const confirm = (fields: Record<string, string>) =>
      browser.submit('/Account/Confirm', { purpose: 'email', ...fields })
    const { code } = await mailTo(service, user.email, 'email')
    const wrong = await confirm({ code: code === '000000' ? '000001' : '000000' })
    assert.equal(locationOf(wrong).searchParams.get('error'), 'code_invalid')
    const again = await confirm({ resend: 'true' })
    assert.equal(locationOf(again).searchParams.get('sent'), 'true')
    assert.equal(locationOf(await confirm({ code })).searchParams.get('error'), 'code_invalid')
    assert.equal(at(await confirm({ code: (await mailTo(service, user.email, 'email')).code })), place)
    assert.equal(await nameIn(browser), user.name)
    const now = await userNamed(service, user.name)
    assert.deepEqual([now.emailConfirmed, now.requiredActions], [true, undefined])
  })

  it('verify_email is done by the link in any browser, without a session there', async () => {
    const user = await person({ requiredActions: ['verify_email'], emailConfirmed: false })
    await signIn(new Browser(service), user)
    const phone = new Browser(service)
    const { token } = await mailTo(service, user.email, 'email')
    await phone.submit('/Account/Confirm', { purpose: 'email', token })
    assert.deepEqual([await nameIn(phone), (await userNamed(service, user.name)).requiredActions], [null, undefined])
  })

  it('set_up_second_factor takes an authenticator app, although the service asks nobody else', async () => {
    const user = await person({ requiredActions: ['set_up_second_factor'] })
    const browser = new Browser(service)
    assert.equal(at(await signIn(browser, user)), '/Account/SecondFactor')
    assert.equal(await nameIn(browser), null)
    assert.equal((await enrol(browser)).status, 200)
    assert.equal(await nameIn(browser), user.name)
    assert.equal((await userNamed(service, user.name)).requiredActions, undefined)
  })

  it('comes after another in their order, each before there is a session', async () => {
    const user = await person({
      ...{ requiredActions: ['update_password', 'verify_email', 'set_up_second_factor'], emailConfirmed: false },
    })
    const browser = new Browser(service)
    await signIn(browser, user)
    const second = await browser.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(at(second), '/Account/Confirm?purpose=email&step=verify_email')
    const { code } = await mailTo(service, user.email, 'email')
    assert.equal(at(await browser.submit('/Account/Confirm', { purpose: 'email', code })), '/Account/SecondFactor')
    assert.deepEqual([await nameIn(browser), await sessionsOf(user)], [null, 0])
    assert.equal((await enrol(browser)).status, 200)
    assert.equal(await nameIn(browser), user.name)
  })

  it('comes after the second factor that the person has', async () => {
    const user = await person()
    const browser = await Browser.signedIn(service, { username: user.name })
    const { secret } = (await browser.self('POST', '/totp', {})).body
    const codeAt = (ms: number) => new TOTP({ secret }).generate({ timestamp: ms })
    assert.equal((await browser.self('POST', '/totp/confirm', { code: codeAt(service.now()) })).status, 200)
    await service.storage.users.update(user.id, (one) => ({ ...one, requiredActions: ['update_password'] }))
    service.advance(60)
    const other = new Browser(service)
    assert.equal(at(await signIn(other, user)), '/Account/SecondFactor')
    const refused = await other.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(locationOf(refused).pathname, '/Account/ForgotPassword')
    const next = await other.submit('/Account/SecondFactor', { method: 'totp', code: codeAt(service.now()) })
    assert.equal(at(next), '/Account/ResetPassword?step=update_password')
    assert.equal(await nameIn(other), null)
    assert.equal(at(await other.submit('/Account/ResetPassword', { password: newPassword })), place)
    assert.equal(await nameIn(other), user.name)
  })

  it('is done once of two tabs at the same time', async () => {
    const user = await person({ requiredActions: ['update_password'] })
    const tabs = [new Browser(service), new Browser(service)]
    for (const tab of tabs) await signIn(tab, user)
    const secrets = [newPassword, `${newPassword}, other`]
    const answers = await Promise.all(
      tabs.map((tab, index) => tab.submit('/Account/ResetPassword', { password: secrets[index] ?? '' })),
    )
    const names = await Promise.all(tabs.map(nameIn))
    assert.deepEqual(
      names.filter((name) => name !== null),
      [user.name],
    )
    const lost = answers.filter((answer) => locationOf(answer).searchParams.get('error') === 'sign_in_expired')
    assert.equal(lost.length, 1)
    const winner = names.indexOf(user.name)
    assert.equal(at(await signIn(new Browser(service), user, secrets[winner])), place)
  })

  it('ends the sessions of before, when an operator asks for it', async () => {
    const user = await person()
    const browser = await Browser.signedIn(service, { username: user.name })
    assert.equal(await nameIn(browser), user.name)
    await service.storage.users.update(user.id, (one) => {
      const next = changeUser(one, { required_actions: ['update_password'] }, service.now())
      return isRefusal(next) ? undefined : next
    })
    assert.equal(await nameIn(browser), null)
  })

  it('is done by a reset by mail: the password and the address', async () => {
    const user = await person({
      requiredActions: ['update_password', 'verify_email'],
      passwordHash: null,
      emailConfirmed: false,
    })
    const browser = new Browser(service)
    await browser.submit('/Account/ForgotPassword', { email: user.name })
    const { code } = await mailTo(service, user.email, 'reset')
    await browser.submit('/Account/Confirm', { purpose: 'reset', code })
    await browser.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(await nameIn(browser), user.name)
    assert.equal((await userNamed(service, user.name)).requiredActions, undefined)
  })
})

describe('a person whose second factor could not come', () => {
  const held = (change: Partial<User> = {}) => person({ hadSecondFactor: true, ...change })

  it('proves the address with a code by mail after the password, then sets one up', async () => {
    const user = await held({ emailConfirmed: false })
    const browser = new Browser(service)
    assert.equal(at(await signIn(browser, user)), '/Account/Confirm?purpose=signin')
    assert.equal(await nameIn(browser), null)
    assert.equal((await browser.self('POST', '/totp', {})).status, 401)
    const confirm = (fields: Record<string, string>) =>
      browser.submit('/Account/Confirm', { purpose: 'signin', ...fields })
    const { code } = await mailTo(service, user.email, 'signin')
    assert.equal(at(await confirm({ code: '12' })), '/Account/Confirm?purpose=signin&error=code_invalid')
    assert.equal(at(await confirm({ code })), '/Account/SecondFactor')
    assert.equal(await nameIn(browser), null)
    // The code counts once.
    assert.equal(at(await confirm({ code })), '/Account/SecondFactor')
    assert.equal((await enrol(browser)).status, 200)
    assert.equal(await nameIn(browser), user.name)
    assert.equal((await userNamed(service, user.name)).hadSecondFactor, undefined)
    assert.equal(at(await signIn(new Browser(service), user)), '/Account/SecondFactor')
  })

  it('cannot guess the code: five wrong ones pause it', async () => {
    const user = await held()
    const browser = new Browser(service)
    await signIn(browser, user)
    const { code } = await mailTo(service, user.email, 'signin')
    const wrong = code === '000000' ? '000001' : '000000'
    const errors: (string | null)[] = []
    for (let tried = 0; tried < 6; tried += 1) {
      const answer = await browser.submit('/Account/Confirm', { purpose: 'signin', code: wrong })
      errors.push(locationOf(answer).searchParams.get('error'))
    }
    assert.equal(errors.at(-1), 'too_many_attempts')
    const late = await browser.submit('/Account/Confirm', { purpose: 'signin', code })
    assert.equal(locationOf(late).searchParams.get('error'), 'too_many_attempts')
    assert.equal(await nameIn(browser), null)
  })

  it('does not get in by a reset by mail, then or later', async () => {
    const user = await held()
    const browser = new Browser(service)
    await browser.submit('/Account/ForgotPassword', { email: user.email })
    const { code } = await mailTo(service, user.email, 'reset')
    await browser.submit('/Account/Confirm', { purpose: 'reset', code })
    const reset = await browser.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(locationOf(reset).searchParams.get('error'), 'account_needs_help')
    assert.equal(await nameIn(browser), null)
    const later = await signIn(new Browser(service), user, newPassword)
    assert.equal(locationOf(later).searchParams.get('error'), 'account_needs_help')
    assert.equal((await purposesTo(service, user.email)).includes('signin'), false)
  })

  it('is helped by an operator where there is no address, and proves nothing of one by that', async () => {
    const user = await held({ email: '', emailConfirmed: false })
    const refused = await signIn(new Browser(service), user)
    assert.equal(locationOf(refused).searchParams.get('error'), 'account_needs_help')
    const { confirmation, path } = recoveryLink(user, {}, service.now(), randomBytes)
    await service.storage.confirmations.put(confirmation, [])
    const browser = new Browser(service)
    const token = path.split('#token=')[1] ?? ''
    const opened = await browser.submit('/Account/Confirm', { purpose: 'reset', token })
    assert.equal(locationOf(opened).pathname, '/Account/ResetPassword')
    const next = await browser.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(at(next), '/Account/SecondFactor')
    assert.equal(await nameIn(browser), null)
    assert.equal((await enrol(browser)).status, 200)
    assert.equal(await nameIn(browser), user.name)
    assert.equal((await userNamed(service, user.name)).emailConfirmed, false)
  })

  it('is not let round a second factor that is enrolled by an operator’s link', async () => {
    const user = await person()
    const browser = await Browser.signedIn(service, { username: user.name })
    const { secret } = (await browser.self('POST', '/totp', {})).body
    const code = new TOTP({ secret }).generate({ timestamp: service.now() })
    await browser.self('POST', '/totp/confirm', { code })
    const { confirmation, path } = recoveryLink(user, {}, service.now(), randomBytes)
    await service.storage.confirmations.put(confirmation, [])
    const other = new Browser(service)
    await other.submit('/Account/Confirm', { purpose: 'reset', token: path.split('#token=')[1] ?? '' })
    const next = await other.submit('/Account/ResetPassword', { password: newPassword })
    assert.equal(at(next), '/Account/SecondFactor')
    const context = await (await other.get('/Account/SecondFactorContext')).json()
    assert.equal((context as { step: string }).step, 'second_factor')
  })
})

describe('a person without an e-mail address', () => {
  it('signs in with the user name, and a reset is answered as for somebody unknown', async () => {
    const user = await person({ email: '', emailConfirmed: false })
    const browser = new Browser(service)
    assert.equal(at(await signIn(browser, user)), place)
    const forgot = (email: string) => new Browser(service).submit('/Account/ForgotPassword', { email })
    const [known, unknown] = [await forgot(user.name), await forgot('nobody-at-all')]
    assert.deepEqual([known.status, at(known)], [unknown.status, at(unknown)])
    assert.deepEqual(await purposesTo(service, ''), [])
    assert.equal((await browser.self('GET', '')).body.email, null)
    const added = await browser.self('POST', '/email', { email: `${user.name}@new.example` })
    assert.ok(added.status < 300, JSON.stringify(added.body))
    const { code } = await mailTo(service, `${user.name}@new.example`, 'email')
    await browser.submit('/Account/Confirm', { purpose: 'email', code })
    assert.equal((await userNamed(service, user.name)).email, `${user.name}@new.example`)
  })

  it('is found without the blanks that keyboards add to a name', async () => {
    const user = await person({ email: '', emailConfirmed: false })
    assert.equal(at(await signIn(new Browser(service), { ...user, name: ` ${user.name}  ` })), place)
  })
})
