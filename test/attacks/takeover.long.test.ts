/** Who shares an account with a stranger: before the address is proved, after it was changed, and until the stranger is out. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { Authenticator } from '../support/authenticator.ts'
import { Browser, codeFields, locationOf, postToken, refreshFields, selfAnswer } from '../support/browser.ts'
import { githubForFile, throughGithub } from '../support/fake-github.ts'
import { mailTo, purposesTo, waitingMails } from '../support/mails.ts'
import { password, serviceForFile, testUser } from '../support/service.ts'

const chosen = 'kT7-vw2q-new'
const github = await githubForFile()
const service = await serviceForFile({
  ...github.env,
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})
// The limits of mails are of an hour, and the outbox shows a bounded number.
beforeEach(async () => {
  service.advance(3601)
  for (const { id } of await waitingMails(service)) await service.storage.mails.sent(id)
})

let number = 0
const newEmail = () => {
  number += 1
  return `victim${number}@example.com`
}
const target = (response: Response) => {
  const { pathname, searchParams } = locationOf(response)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
const confirm = async (browser: Browser, purpose: string, fields: Readonly<Record<string, string>>) =>
  target(await browser.submit('/Account/Confirm', { purpose, ...fields }))

/** Through the provider's pages, up to the account that it is bound to or that is to be confirmed. */
function signInAtGithub(browser: Browser, id: number, email: string): Promise<URL> {
  github.user = { id, login: `user${id}`, name: null, email: null }
  github.emails = [{ email, primary: true, verified: true }]
  return throughGithub(browser)
}
async function throughGithubTo(browser: Browser, id: number): Promise<void> {
  github.user = { id, login: `user${id}`, name: null, email: null }
  const { body } = await browser.self('POST', '/external-logins/GitHub')
  const called = await browser.fetch(locationOf(await fetch(body.location, { redirect: 'manual' })).href)
  assert.equal(target(await browser.fetch(locationOf(called).href)), '/Account/Security?linked=github')
}
async function addPasskey(browser: Browser): Promise<Authenticator> {
  const authenticator = new Authenticator(service)
  const { body } = await browser.self('POST', '/passkeys/options')
  const added = await browser.self('POST', '/passkeys', { name: 'Mine', credential: authenticator.create(body) })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  return authenticator
}
async function addApp(browser: Browser): Promise<void> {
  const { body } = await browser.self('POST', '/totp')
  const code = new TOTP({ secret: body.secret }).generate({ timestamp: service.now() })
  assert.equal((await browser.self('POST', '/totp/confirm', { code })).status, 200)
}
async function tokenOf(browser: Browser): Promise<string> {
  const code = await browser.allowedCode()
  const { body } = await postToken(service, codeFields(code))
  assert.ok(body.refresh_token, JSON.stringify(body))
  return body.refresh_token
}
async function byPasskey(authenticator: Authenticator): Promise<string> {
  const browser = new Browser(service)
  const headers = {
    RequestVerificationToken: await browser.antiforgeryToken(),
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ purpose: 'signin' })
  const answer = await selfAnswer(await browser.fetch('/Account/PasskeyOptions', { method: 'POST', headers, body }))
  const credential = JSON.stringify(authenticator.get(answer.body))
  await browser.submit('/Account/PasskeyLogin', { credential })
  return (await browser.userName()) ?? ''
}
async function reset(email: string, fields: Readonly<Record<string, string>> = {}) {
  const browser = new Browser(service)
  await browser.submit('/Account/ForgotPassword', { email })
  await confirm(browser, 'reset', { code: (await mailTo(service, email)).code })
  return { browser, answer: await browser.submit('/Account/ResetPassword', { password: chosen, ...fields }) }
}
const idOf = async (name: string) => (await service.storage.users.findByName(name))?.id ?? ''
async function leftOf(id: string) {
  const { passkeys, externalLogins, secondFactors, authorizations, sessions, knownBrowsers } = service.storage
  const factors = await secondFactors.find(id)
  return {
    passkeys: (await passkeys.list(id)).length,
    logins: (await externalLogins.list(id)).length,
    consents: (await authorizations.list(id)).length,
    app: factors?.totp != null,
    codes: factors?.recoveryHashes.length ?? 0,
    sessions: (await sessions.ofUser(id)).length,
    browsers: (await knownBrowsers.list(id)).length,
  }
}

describe('an account that a stranger made with the address of somebody else', () => {
  it("is the owner's alone once the owner proves the address: nothing of the stranger is left, and the mail says so", async () => {
    const email = newEmail()
    const stranger = new Browser(service)
    assert.equal((await signInAtGithub(stranger, 901, email)).pathname, '/Account/ExternalLoginConfirm')
    assert.equal(target(await stranger.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/' })), '/')
    const id = await idOf(email)
    assert.equal((await stranger.self('POST', '/password', { password: 'strangers-own-1' })).status, 204)
    const authenticator = await addPasskey(stranger)
    await addApp(stranger)
    await stranger.self('POST', '/recovery-codes')
    const refreshToken = await tokenOf(stranger)
    assert.equal(await byPasskey(authenticator), email)

    // The owner registers, is told of an account, and chooses a new password.
    const { browser, answer } = await reset(email)
    assert.equal(target(answer), '/')
    assert.equal(await browser.userName(), email)
    assert.deepEqual(await leftOf(id), {
      passkeys: 0,
      logins: 0,
      consents: 0,
      app: false,
      codes: 0,
      sessions: 1,
      browsers: 1,
    })
    assert.ok((await purposesTo(service, email)).includes('account_claimed'))
    assert.equal(await stranger.userName(), undefined)
    assert.equal((await postToken(service, refreshFields(refreshToken))).status, 400)
    assert.equal(await byPasskey(authenticator), '')
    assert.equal((await signInAtGithub(new Browser(service), 901, email)).pathname, '/Account/ExternalLoginConfirm')
    const again = await Browser.signedIn(service, { username: email, password: chosen })
    assert.equal(await again.userName(), email)
  })

  it('is theirs once they open the link with which the stranger asks to confirm the address', async () => {
    const [email, stranger] = [newEmail(), new Browser(service)]
    await signInAtGithub(stranger, 902, email)
    await stranger.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/' })
    const id = await idOf(email)
    assert.equal((await stranger.self('POST', '/password', { password: 'strangers-own-1' })).status, 204)
    const authenticator = await addPasskey(stranger)
    await addApp(stranger)
    const refreshToken = await tokenOf(stranger)
    assert.equal((await stranger.self('POST', '/email', { email })).status, 204)
    const owner = new Browser(service)
    const opened = await confirm(owner, 'email', { token: (await mailTo(service, email)).token })
    assert.equal(opened, '/Account/ResetPassword')
    // Nothing of the stranger works from here on, whether or not the owner goes on.
    assert.equal(await stranger.userName(), undefined)
    assert.equal(await byPasskey(authenticator), '')
    const again = await Browser.signedIn(service, { username: email, password: 'strangers-own-1' })
    assert.equal(await again.userName(), undefined)
    assert.equal((await postToken(service, refreshFields(refreshToken))).status, 400)
    assert.equal((await signInAtGithub(new Browser(service), 902, email)).pathname, '/Account/ExternalLoginConfirm')
    assert.equal(target(await owner.submit('/Account/ResetPassword', { password: chosen })), '/')
    assert.equal(await owner.userName(), email)
    assert.partialDeepStrictEqual(await leftOf(id), { passkeys: 0, logins: 0, app: false, sessions: 1 })
  })

  it('is theirs after their first reset when they opened the link of a registration that somebody else had begun', async () => {
    const [email, stranger, owner] = [newEmail(), new Browser(service), new Browser(service)]
    await owner.submit('/Account/Register', { email, password: chosen })
    await stranger.submit('/Account/Register', { email, password: 'strangers-own-1' })
    // The newest mail alone works, and the owner expects one.
    assert.equal(
      await confirm(owner, 'register', { token: (await mailTo(service, email)).token }),
      '/Account/Login?ReturnUrl=%2FAccount',
    )
    await stranger.signIn({ username: email, password: 'strangers-own-1' })
    const authenticator = await addPasskey(stranger)
    await addApp(stranger)
    await throughGithubTo(stranger, 903)
    const { browser, answer } = await reset(email)
    assert.equal(target(answer), '/')
    assert.equal(await browser.userName(), email)
    assert.ok((await purposesTo(service, email)).includes('account_claimed'))
    assert.equal(await byPasskey(authenticator), '')
    assert.equal(await stranger.userName(), undefined)
    const left = await leftOf(await idOf(email))
    assert.partialDeepStrictEqual(left, { passkeys: 0, logins: 0, app: false, sessions: 1 })
    // It is nobody's to take over any more.
    await addPasskey(browser)
    await reset(email)
    assert.equal((await leftOf(await idOf(email))).passkeys, 1)
  })

  it('keeps what its owner added, where the browser that resets the password signed in to it before, and after a week', async () => {
    for (const isLater of [false, true]) {
      const [email, desk] = [newEmail(), new Browser(service)]
      await desk.submit('/Account/Register', { email, password: chosen })
      await confirm(new Browser(service), 'register', { token: (await mailTo(service, email)).token })
      await desk.signIn({ username: email, password: chosen })
      await addPasskey(desk)
      service.advance(isLater ? 8 * 86_400 : 3601)
      const asking = isLater ? new Browser(service) : desk
      await asking.submit('/Account/ForgotPassword', { email })
      await confirm(asking, 'reset', { code: (await mailTo(service, email)).code })
      await asking.submit('/Account/ResetPassword', { password: 'kT7-vw2q-other' })
      assert.equal((await leftOf(await idOf(email))).passkeys, 1)
      const purposes = await purposesTo(service, email)
      assert.ok(purposes.includes('password_changed') && !purposes.includes('account_claimed'), purposes.join())
    }
  })

  it('has no user name that is an address of somebody else: it follows each new address, or that is refused', async () => {
    const [email, stranger] = [newEmail(), new Browser(service)]
    await signInAtGithub(stranger, 904, email)
    await stranger.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/' })
    const id = await idOf(email)
    const unfit = await stranger.self('POST', '/email', { email: '\u043fayp\u0430l@example.com' })
    assert.deepEqual([unfit.status, unfit.body.error], [400, 'email_invalid'])
    const own = newEmail()
    await stranger.self('POST', '/email', { email: own })
    await confirm(stranger, 'email', { code: (await mailTo(service, own)).code })
    assert.partialDeepStrictEqual(await service.storage.users.find(id), { name: own, email: own })
    const owner = new Browser(service)
    await owner.submit('/Account/Register', { email, password: chosen })
    assert.equal(await confirm(owner, 'register', { code: (await mailTo(service, email)).code }), '/')
  })

  it('is left as it was by a reset when an operator made it, or when the address was proved before', async () => {
    for (const account of [
      { emailConfirmed: true, email: newEmail() },
      { emailConfirmed: false, email: newEmail(), isOtherName: true },
      // As `user add bob@example.com --email bob@example.com` makes it, and an import.
      { emailConfirmed: false, email: newEmail() },
    ]) {
      const { isOtherName = false, ...change } = account
      const name = isOtherName ? `operator-${number}` : change.email
      const user = testUser({ name, ...change, createdAtMs: service.now() })
      await service.storage.users.create(user)
      const owner = await Browser.signedIn(service, { username: name })
      const authenticator = await addPasskey(owner)
      await addApp(owner)
      const { answer } = await reset(change.email)
      assert.equal(target(answer), '/Account/SecondFactor', name)
      assert.equal(await byPasskey(authenticator), name)
      assert.ok((await purposesTo(service, change.email)).includes('password_changed'))
    }
  })
})

describe('an address that a stranger changed', () => {
  /** A session of the owner in the stranger's hands, which adds what lets the stranger in again. */
  async function hijacked() {
    const email = newEmail()
    const user = testUser({ name: `owner${number}`, email, createdAtMs: service.now() })
    await service.storage.users.create(user)
    const owner = await Browser.signedIn(service, { username: user.name })
    const old = await addPasskey(owner)
    service.advance(2 * 86_400)
    const stranger = await Browser.signedIn(service, { username: user.name })
    return { email, user, old, stranger }
  }
  async function change(stranger: Browser, to: string) {
    assert.equal((await stranger.self('POST', '/email', { email: to })).status, 204)
    await confirm(stranger, 'email', { code: (await mailTo(service, to)).code })
  }

  it('is taken back with everything that was added around the change, and leads to a new password', async () => {
    const { email, user, old, stranger } = await hijacked()
    // Added before the change, so that it does not look like a part of it.
    const first = await addPasskey(stranger)
    service.advance(300)
    await change(stranger, `stranger-${email}`)
    const second = await addPasskey(stranger)
    await addApp(stranger)
    await stranger.self('POST', '/recovery-codes')
    const link = await stranger.self('POST', '/external-logins/GitHub')
    github.user = { id: 950, login: 'stranger', name: null, email: null }
    const linked = await stranger.fetch(locationOf(await fetch(link.body.location, { redirect: 'manual' })).href)
    await stranger.fetch(locationOf(linked).href)
    await stranger.self('POST', '/deletion', { username: user.name })
    assert.deepEqual(Object.values(await leftOf(user.id)).slice(0, 5), [3, 1, 0, true, 10])

    const { token } = await mailTo(service, email)
    const owner = new Browser(service)
    assert.equal(await confirm(owner, 'undo', { token }), '/Account/ResetPassword?undone=true&ReturnUrl=%2FAccount')
    assert.equal((await service.storage.users.find(user.id))?.deletionDueAtMs, null)
    assert.deepEqual(Object.values(await leftOf(user.id)), [1, 0, 0, false, 0, 0, 0])
    for (const gone of [first, second]) assert.equal(await byPasskey(gone), '')
    assert.equal(target(await owner.submit('/Account/ResetPassword', { password: chosen })), '/')
    assert.equal(await owner.userName(), user.name)
    assert.equal(await byPasskey(old), user.name)
  })

  it('is no way back for a stranger who knows the password and is faster than the owner', async () => {
    const { email, user, stranger } = await hijacked()
    await change(stranger, `stranger-${email}`)
    const { token } = await mailTo(service, email)
    const owner = new Browser(service)
    await confirm(owner, 'undo', { token })
    // Between the undo and the new password.
    await stranger.signIn({ username: user.name })
    const late = await addPasskey(stranger)
    const refreshToken = await tokenOf(stranger)
    assert.equal((await stranger.self('POST', '/password', { current: password, password: `${chosen}-x` })).status, 204)
    assert.match(target(await owner.submit('/Account/ResetPassword', { password: chosen })), /error=code_invalid/)
    const { answer, browser } = await reset(email)
    assert.equal(target(answer), '/')
    assert.equal(await byPasskey(late), '')
    assert.equal((await postToken(service, refreshFields(refreshToken))).status, 400)
    // What the owner adds from now on is the owner's.
    const own = await addPasskey(browser)
    await reset(email)
    assert.equal(await byPasskey(own), user.name)
  })

  it('is taken back by its link alone: not by an id that is known, nor twice', async () => {
    const { email, user, stranger } = await hijacked()
    await change(stranger, `stranger-${email}`)
    const { token } = await mailTo(service, email)
    const [one, two] = [new Browser(service), new Browser(service)]
    const forms = await Promise.all(
      [one, two].map(async (browser) => ({
        browser,
        form: { __RequestVerificationToken: await browser.antiforgeryToken(), purpose: 'undo', token },
      })),
    )
    const answers = await Promise.all(forms.map(({ browser, form }) => browser.post('/Account/Confirm', form)))
    const [late = '', first] = answers.map(target).sort()
    assert.match(late, /^\/Account\/Confirm\?purpose=undo&error=code_invalid/)
    assert.equal(first, '/Account/ResetPassword?undone=true&ReturnUrl=%2FAccount')
    for (const forged of [`undone:${user.id}`, `undone:${user.id}.x`, `${user.id}${'A'.repeat(28)}`]) {
      assert.match(await confirm(new Browser(service), 'undo', { token: forged }), /error=code_invalid/)
    }
  })
})

describe('the deletion that an owner asked for', () => {
  it('goes on when the password is changed in the account area, and is cancelled by a sign-in alone', async () => {
    const email = newEmail()
    const user = testUser({ name: `leaving${number}`, email, createdAtMs: service.now() })
    await service.storage.users.create(user)
    const browser = await Browser.signedIn(service, { username: user.name })
    assert.equal((await browser.self('POST', '/deletion', { username: user.name })).status, 200)
    const due = async () => (await service.storage.users.find(user.id))?.deletionDueAtMs ?? null
    const planned = await due()
    assert.notEqual(planned, null)
    assert.equal((await browser.self('POST', '/password', { current: password, password: chosen })).status, 204)
    assert.equal(await due(), planned)
    assert.equal((await browser.self('GET', '')).status, 200)
    await new Browser(service).signIn({ username: user.name, password: chosen })
    assert.equal(await due(), null)
  })
})
