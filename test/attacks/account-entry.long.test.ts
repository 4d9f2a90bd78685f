/** Ways round the rules of signing in that lead through a provider, and the pages of accounts in the frames of another site. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { githubForFile, throughGithub } from '../support/fake-github.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const github = await githubForFile()
const service = await serviceForFile({
  ...github.env,
  Accounts__Registration: 'open',
  Accounts__RequireConfirmedEmail: 'true',
  Accounts__SecondFactor__External: 'true',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})

function signInAtGithub(browser: Browser, id: number, email: string): Promise<URL> {
  github.user = { id, login: `user${id}`, name: null, email: null }
  github.emails = [{ email, primary: true, verified: true }]
  return throughGithub(browser)
}

const requests = [
  {},
  { acr_values: 'mfa' },
  { acr_values: '1' },
  { max_age: '0' },
  { max_age: '100000' },
  { prompt: 'none' },
  { prompt: 'login' },
  { prompt: 'select_account' },
  { prompt: 'consent' },
  { prompt: 'none', acr_values: 'phr' },
]

/** Nobody is signed in, and no request changes that. */
async function expectNobody(browser: Browser, why: string): Promise<void> {
  assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: null }, why)
  assert.equal((await browser.self('GET', '')).status, 401, why)
  for (const request of requests) {
    const { origin, pathname, searchParams } = locationOf(await browser.get(authorizePath(request)))
    const what = `${why}: ${JSON.stringify(request)}`
    assert.equal(searchParams.get('code'), null, what)
    if (request.prompt === 'none') assert.equal(searchParams.get('error'), 'login_required', what)
    else assert.deepEqual([origin, pathname], [new URL(service.issuer).origin, '/Account/Login'], what)
  }
}

/** A person with an authenticator app whose account at the provider is linked. */
async function linked(name: string, id: number) {
  const user = await addUser(service, name, { createdAtMs: service.now() })
  const login = { provider: 'github', subject: String(id), userId: user.id, createdAtMs: service.now() }
  assert.equal(await service.storage.externalLogins.link(login), 'linked')
  const browser = await Browser.signedIn(service, { username: name })
  const { secret } = (await browser.self('POST', '/totp')).body
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: service.now() })
  assert.equal((await browser.self('POST', '/totp/confirm', { code: codeNow() })).status, 200)
  service.advance(60)
  const half = async (other = new Browser(service)) => {
    assert.equal((await signInAtGithub(other, id, user.email)).pathname, '/Account/SecondFactor')
    return other
  }
  const prove = (other: Browser, fields: Readonly<Record<string, string>> = {}) =>
    other.submit('/Account/SecondFactor', { method: 'totp', code: codeNow(), ...fields })
  return { user, half, prove }
}

describe('an account of a provider with an address that nobody proved', () => {
  it('enters nowhere while confirmed addresses are required, however the request asks', async () => {
    const [browser, email] = [new Browser(service), 'unproved@example.com']
    assert.equal((await signInAtGithub(browser, 71, email)).pathname, '/Account/ExternalLoginConfirm')
    const registered = await browser.submit('/Account/ExternalLoginRegister', { email })
    assert.equal(locationOf(registered).searchParams.get('error'), 'account_not_allowed')
    await expectNobody(browser, 'registered')
    const again = new Browser(service)
    assert.equal((await signInAtGithub(again, 71, email)).searchParams.get('error'), 'account_not_allowed')
    await expectNobody(again, 'came back')
  })
})

describe('a sign-in through a provider where those are asked for a second factor', () => {
  it('gives access to nothing before it, however the request asks, and once it was proved to everything', async () => {
    const { half, prove } = await linked('hal', 72)
    const browser = await half()
    await expectNobody(browser, 'half')
    await half(browser)
    await prove(browser)
    assert.equal((await browser.self('GET', '')).body.username, 'hal')
  })

  it('is skipped in a remembered browser of this person alone', async () => {
    const [hal, ida] = [await linked('hal2', 73), await linked('ida', 74)]
    const browser = await hal.half()
    await hal.prove(browser, { rememberBrowser: 'true' })
    assert.equal((await browser.self('GET', '')).body.username, 'hal2')
    browser.cookies.delete('latchkey.session')
    assert.equal((await signInAtGithub(browser, 73, 'hal2@example.com')).pathname, '/')
    browser.cookies.delete('latchkey.session')
    await ida.half(browser)
    await expectNobody(browser, 'remembered for another')
    await expectNobody(await hal.half(), 'not remembered here')
  })

  it('ends with a lock, a lockout, an end of the sessions and an address that counts no more', async () => {
    const nowMs = service.now()
    const changes = [
      { disabled: true },
      { lockedUntilMs: nowMs + 1e9 },
      { lockedUntilMs: nowMs + 1e9, lockoutBeganAtMs: nowMs },
      { emailConfirmed: false },
      { sessionsEndedAtMs: nowMs + 1e6 },
    ]
    for (const [at, change] of changes.entries()) {
      const { user, half, prove } = await linked(`joe${at}`, 80 + at)
      const browser = await half()
      await service.storage.users.update(user.id, (stored) => ({ ...stored, ...change }))
      const refused = locationOf(await prove(browser))
      assert.equal(refused.searchParams.get('error'), 'sign_in_expired', JSON.stringify(change))
      await expectNobody(browser, JSON.stringify(change))
    }
  })
})

describe('the pages of accounts', () => {
  it('are in no frame of another site, and nothing of them is kept or told on the way', async () => {
    const pages = [
      'Register',
      'Confirm?purpose=reset',
      'ForgotPassword',
      'ResetPassword',
      'SecondFactor',
      'Choose',
      'Security',
      'Devices',
      'Applications',
      'Profile',
      'Nowhere',
    ]
    const visitor = new Browser(service)
    const person = await Browser.signedIn(service)
    const answers = ['Self', 'Session', 'RegisterContext', 'SecondFactorContext', 'LoginContext', 'Antiforgery']
    for (const browser of [visitor, person]) {
      for (const path of ['/Account', ...[...pages, ...answers].map((page) => `/Account/${page}`)]) {
        const { headers } = await browser.get(path)
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
        assert.equal(headers.get('x-frame-options'), 'DENY', path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
        assert.match(headers.get('referrer-policy') ?? '', /no-referrer|same-origin/, path)
        if (answers.some((answer) => path.endsWith(answer)))
          assert.match(headers.get('cache-control') ?? '', /no-store/, path)
      }
    }
  })
})
