/** Required actions at every way in: none gives a session or a token before they are done (connections, section 7). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import type { RequiredAction } from '../../src/person-fields.ts'
import { isRefusal } from '../../src/refusal.ts'
import { changeUser } from '../../src/users/changes.ts'
import type { User } from '../../src/users/user.ts'
import { Authenticator } from '../support/authenticator.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  deviceGrant,
  exchangeGrant,
  fetchWithToken,
  locationOf,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { githubForFile, throughGithub } from '../support/fake-github.ts'
import { mailTo } from '../support/mails.ts'
import { addClient, password, serviceForFile, testUser, userNamed } from '../support/service.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' })
const { storage } = service
await addClient(service, {
  ...{ id: 'tv', grantTypes: [deviceGrant], redirectUris: [], postLogoutRedirectUris: [], consent: 'implicit' },
})
const newPassword = 'a wholly new phrase 7'
const place = '/Account?x=1'
const everything: readonly RequiredAction[] = ['update_password', 'verify_email', 'set_up_second_factor']

let count = 0
/** A person who is linked to an account at GitHub. */
async function person(change: Partial<User> = {}): Promise<User> {
  count += 1
  const user = testUser({ name: `door${count}`, email: `door${count}@acme.example`, emailConfirmed: false, ...change })
  assert.equal(await storage.users.create(user), 'created')
  const login = { provider: 'github', subject: String(5000 + count), userId: user.id, createdAtMs: service.now() }
  assert.equal(await storage.externalLogins.link(login), 'linked')
  github.user = { id: 5000 + count, login: user.name, name: null, email: null }
  return user
}

/** As `latchkey user require` does. */
async function ask({ id }: User, actions: readonly RequiredAction[], hadFactor = false): Promise<void> {
  await storage.users.update(id, (one) => {
    const members = { required_actions: actions, ...(hadFactor && { had_second_factor: true }) }
    const next = changeUser(one, members, service.now())
    return isRefusal(next) ? assert.fail() : next
  })
}

const at = (response: Response) => pathOf(locationOf(response))
const pathOf = ({ pathname, search }: URL) => pathname + search

/** Neither a session, nor a code, nor an entry to the account area. */
async function assertOutside(browser: Browser, user: User): Promise<void> {
  assert.equal(await browser.userName(), undefined)
  assert.equal((await storage.users.dependents(user.id, service.now())).sessions, 0)
  const silent = locationOf(await browser.get(authorizePath({ prompt: 'none' })))
  assert.deepEqual([silent.searchParams.get('error'), silent.searchParams.get('code')], ['login_required', null])
  assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
  assert.equal((await browser.self('GET', '')).status, 401)
  assert.equal((await browser.self('POST', '/passkeys/options')).status, 401)
}

const steps: Readonly<Record<RequiredAction, string>> = {
  update_password: '/Account/ResetPassword?step=update_password',
  verify_email: '/Account/Confirm?purpose=email&step=verify_email',
  set_up_second_factor: '/Account/SecondFactor',
}

/** Does what is asked, in this order, and is outside before the last of it. Returns where it led. */
async function doActions(browser: Browser, user: User, led: string, actions: readonly RequiredAction[]) {
  let next = led
  for (const action of actions) {
    assert.equal(next, steps[action])
    await assertOutside(browser, user)
    // Nothing that comes later is done before.
    if (action !== 'set_up_second_factor') assert.equal((await browser.self('POST', '/totp', {})).status, 401)
    if (action === 'update_password') {
      next = at(await browser.submit('/Account/ResetPassword', { password: newPassword }))
    } else if (action === 'verify_email') {
      const { code } = await mailTo(service, user.email, 'email')
      next = at(await browser.submit('/Account/Confirm', { purpose: 'email', code }))
    } else {
      const { secret } = (await browser.self('POST', '/totp', {})).body
      const code = new TOTP({ secret }).generate({ timestamp: service.now() })
      assert.equal((await browser.self('POST', '/totp/confirm', { code })).status, 200)
      next = place
    }
  }
  assert.deepEqual([next, await browser.userName()], [place, user.name])
  assert.equal((await userNamed(service, user.name)).requiredActions, undefined)
}

const byPassword = async (browser: Browser, { name: username }: User) =>
  at(await browser.signIn({ username, password, ReturnUrl: place }))
const byProvider = async (browser: Browser) => pathOf(await throughGithub(browser, place))

/** Sets up a passkey in a session, and returns what signs in with it. */
async function passkeyOf(user: User) {
  const authenticator = new Authenticator(service)
  const browser = await Browser.signedIn(service, { username: user.name })
  const credential = authenticator.create((await browser.self('POST', '/passkeys/options')).body)
  assert.equal((await browser.self('POST', '/passkeys', { name: 'key', credential })).status, 200)
  const optionsFor = async (by: Browser, purpose: string) => {
    const RequestVerificationToken = await by.antiforgeryToken()
    const headers = { 'content-type': 'application/json', RequestVerificationToken }
    const body = JSON.stringify({ purpose })
    return (await by.fetch('/Account/PasskeyOptions', { method: 'POST', headers, body })).json()
  }
  return async (by: Browser) => {
    const answer = authenticator.get(await optionsFor(by, 'signin'))
    return at(await by.submit('/Account/PasskeyLogin', { credential: JSON.stringify(answer), ReturnUrl: place }))
  }
}

describe('required actions are done, in their order, before there is a session', () => {
  for (const [door, enter] of [
    ['with the password', byPassword],
    ['through a provider', byProvider],
  ] as const) {
    it(`at a sign-in ${door}`, async () => {
      const user = await person()
      await ask(user, everything)
      const browser = new Browser(service)
      await doActions(browser, user, await enter(browser, user), everything)
    })
  }

  it('with a passkey, which is a second factor itself', async () => {
    const user = await person()
    const enter = await passkeyOf(user)
    await ask(user, everything)
    const browser = new Browser(service)
    let next = await enter(browser)
    assert.equal(next, steps.update_password)
    await assertOutside(browser, user)
    next = at(await browser.submit('/Account/ResetPassword', { password: newPassword }))
    assert.equal(next, steps.verify_email)
    await assertOutside(browser, user)
    const { code } = await mailTo(service, user.email, 'email')
    assert.equal(at(await browser.submit('/Account/Confirm', { purpose: 'email', code })), place)
    assert.equal(await browser.userName(), user.name)
  })

  it('with the password of somebody who has a passkey alone, which is asked for', async () => {
    const user = await person()
    await passkeyOf(user)
    await ask(user, ['set_up_second_factor'])
    const browser = new Browser(service)
    assert.equal(await byPassword(browser, user), '/Account/SecondFactor')
    await assertOutside(browser, user)
    const { body } = await browser.self('POST', '/totp', {})
    assert.equal(body?.secret, undefined)
    const context = (await (await browser.get('/Account/SecondFactorContext')).json()) as Record<string, unknown>
    assert.deepEqual([context.step, context.methods], ['second_factor', ['passkey']])
  })

  it('at a device, which gets nothing before', async () => {
    const user = await person()
    await ask(user, ['update_password'])
    const begun = await postToken(service, { client_id: 'tv', scope: 'openid demo_api' }, {}, 'connect/device')
    const { device_code, user_code } = begun.body
    const browser = new Browser(service)
    const approve = () => browser.submit('/Account/Device', { user_code, 'submit.Accept': 'Yes' })
    const poll = () => postToken(service, { grant_type: deviceGrant, client_id: 'tv', device_code })
    assert.equal(await byPassword(browser, user), steps.update_password)
    await approve()
    assert.equal((await poll()).body.error, 'authorization_pending')
    await doActions(browser, user, steps.update_password, ['update_password'])
    await approve()
    service.advance(6)
    assert.equal((await poll()).status, 200)
  })
})

describe('required actions that are asked for later', () => {
  it('end the session, and lead from the application to them', async () => {
    const user = await person()
    const browser = await Browser.signedIn(service, { username: user.name })
    assert.equal(await browser.userName(), user.name)
    await ask(user, everything)
    await assertOutside(browser, user)
    const login = locationOf(await browser.get(authorizePath({ acr_values: 'mfa' })))
    assert.equal(login.pathname, '/Account/Login')
    await doActions(browser, user, await byPassword(browser, user), everything)
  })

  it('end a sign-in that waits for a second factor, and a session’s step to one', async () => {
    const user = await person()
    const browser = await Browser.signedIn(service, { username: user.name })
    const stepping = await Browser.signedIn(service, { username: user.name })
    const { secret } = (await browser.self('POST', '/totp', {})).body
    const codeAt = (ms: number) => new TOTP({ secret }).generate({ timestamp: ms })
    assert.equal((await browser.self('POST', '/totp/confirm', { code: codeAt(service.now()) })).status, 200)
    const next = new Browser(service)
    assert.equal(await byPassword(next, user), '/Account/SecondFactor')
    const asked = await stepping.get(authorizePath({ acr_values: 'mfa' }))
    assert.equal(locationOf(asked).pathname, '/Account/SecondFactor')
    service.advance(60)
    await ask(user, ['update_password'])
    const fields = { method: 'totp', code: codeAt(service.now()) }
    const proved = await next.submit('/Account/SecondFactor', fields)
    assert.equal(locationOf(proved).searchParams.get('error'), 'sign_in_expired')
    const stepped = await stepping.submit('/Account/SecondFactor', fields)
    assert.equal(locationOf(stepped).searchParams.get('code'), null)
    for (const each of [browser, next, stepping]) await assertOutside(each, user)
  })

  it('end codes, refresh tokens, approved devices and what a token could be exchanged for', async () => {
    const user = await person()
    await addClient(service, { id: `exchanging${count}`, consent: 'implicit' })
    const browser = await Browser.signedIn(service, { username: user.name })
    const { body: tokens } = await postToken(service, codeFields(await browser.allowedCode()))
    assert.equal(typeof tokens.refresh_token, 'string')
    const code = await browser.allowedCode()
    const begun = await postToken(service, { client_id: 'tv', scope: 'openid demo_api' }, {}, 'connect/device')
    const { device_code, user_code } = begun.body
    await browser.submit('/Account/Device', { user_code, 'submit.Accept': 'Yes' })
    service.advance(6)
    await ask(user, ['set_up_second_factor'])
    const refusals = [
      await postToken(service, refreshFields(tokens.refresh_token)),
      await postToken(service, codeFields(code)),
      await postToken(service, { grant_type: deviceGrant, client_id: 'tv', device_code }),
    ]
    for (const { status, body } of refusals) assert.equal(status, 400, JSON.stringify(body))
    const exchanged = await postToken(service, {
      ...{ grant_type: exchangeGrant, client_id: 'demo', subject_token: tokens.access_token },
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    assert.equal(exchanged.body.access_token, undefined)
    assert.equal((await fetchWithToken(service, '/connect/userinfo', tokens.access_token)).status, 401)
  })
})

describe('somebody whose second factor did not come sets up none before the address is proved', () => {
  for (const [door, enter] of [
    ['with the password', byPassword],
    ['through a provider', byProvider],
  ] as const) {
    it(`at a sign-in ${door}, but proves the address`, async () => {
      const user = await person()
      await ask(user, everything, true)
      const browser = new Browser(service)
      assert.equal(await enter(browser, user), '/Account/Confirm?purpose=signin')
      await assertOutside(browser, user)
      assert.equal((await browser.self('POST', '/totp', {})).status, 401)
      const { code } = await mailTo(service, user.email, 'signin')
      const led = at(await browser.submit('/Account/Confirm', { purpose: 'signin', code }))
      await doActions(browser, user, led, everything)
      assert.equal((await userNamed(service, user.name)).hadSecondFactor, undefined)
    })
  }
})
