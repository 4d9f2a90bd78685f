import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import { Browser, locationOf } from '../support/browser.ts'
import { githubForFile, startFakeGithub } from '../support/fake-github.ts'
import { changeUser, serviceForFile, startService, testUser } from '../support/service.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, OAuth__External__Empty__ClientId: '' })
let nextId = 1000
afterEach(() => {
  github.behaviour = 'normal'
  nextId += 1
  github.user = { id: nextId, login: `user${nextId}`, name: null, email: null }
  github.emails = [{ email: `user${nextId}@example.com`, primary: true, verified: true }]
})

/** Starts at the login page's button; the address of the provider's answer, not yet delivered. */
async function toProvider(browser: Browser, returnUrl = '/after?x=1', provider = 'GitHub'): Promise<URL> {
  const path = `/Account/ExternalLogin?returnUrl=${encodeURIComponent(returnUrl)}`
  const started = await browser.submit(path, { provider })
  assert.equal(started.status, 302)
  const atProvider = await fetch(locationOf(started), { redirect: 'manual' })
  return locationOf(atProvider)
}

/** The whole way up to the external cookie. */
async function authenticate(browser: Browser, returnUrl?: string): Promise<Response> {
  return browser.fetch((await toProvider(browser, returnUrl)).href)
}

async function register(browser: Browser, fields: Record<string, string> = {}): Promise<Response> {
  return browser.submit('/Account/ExternalLoginRegister', {
    email: `user${nextId}@example.com`,
    ReturnUrl: '/after',
    ...fields,
  })
}

const userOf = async (browser: Browser): Promise<string | undefined> => await browser.userName()
const pendingCookies = (browser: Browser) => [...browser.cookies.keys()].filter((name) => name.includes('state.'))
const externalCookies = (browser: Browser) =>
  [...browser.cookies.keys()].filter((name) => name.startsWith('latchkey.external'))

describe('GET /Account/ExternalProviders and /Account/ExternalLogin (specification 4.7)', () => {
  it('lists the configured providers, and none without a client id [S1.3, S2.8.1, S4.0, S4.7.1, S5.7.1]', async () => {
    assert.deepEqual(await (await new Browser(service).get('/Account/ExternalProviders')).json(), [
      { name: 'GitHub', displayName: 'GitHub' },
    ])
  })

  it('answers [] without any, and 404 to the callback like any unmatched route [S1.3, S4.7.1, S4.7.5, S5.7.6, S5.7.7]', async () => {
    await using plain = await startService()
    assert.deepEqual(await (await new Browser(plain).get('/Account/ExternalProviders')).json(), [])
    assert.equal((await new Browser(plain).get('/callback/login/GitHub')).status, 404)
    const unknown = await new Browser(plain).submit('/Account/ExternalLogin', { provider: 'GitHub' })
    assert.equal(unknown.status, 404)
    assert.deepEqual(await unknown.json(), { error: 'unknown_provider' })
  })

  it('sends a visitor without a choice to the login page [S4.7.6]', async () => {
    assert.equal((await new Browser(service).get('/Account/ExternalLogin')).headers.get('location'), '/Account/Login')
  })
})

describe('POST /Account/ExternalLogin', () => {
  it('redirects to the provider with state and PKCE S256, whatever the case of the name [S4.7.2, S4.7.3, S4.7.4, S5.7.4, C3.17]', async () => {
    for (const provider of ['GitHub', 'github', 'GITHUB']) {
      const started = await new Browser(service).submit('/Account/ExternalLogin', { provider })
      const address = locationOf(started)
      assert.equal(address.origin + address.pathname, `${github.origin}/login/oauth/authorize`)
      const query = Object.fromEntries(address.searchParams)
      assert.equal(query.client_id, 'github-client')
      assert.equal(query.response_type, 'code')
      assert.equal(query.redirect_uri, `${service.issuer}callback/login/GitHub`)
      assert.equal(query.code_challenge_method, 'S256')
      assert.match(query.code_challenge ?? '', /^[A-Za-z0-9_-]{43}$/)
      assert.match(query.state ?? '', /^[A-Za-z0-9_-]{32}$/)
      assert.equal(query.scope, 'read:user user:email')
      assert.ok(!('client_secret' in query))
    }
  })

  it('works without a client secret, which then counts as empty (specification 5.7) [S5.7.2]', async () => {
    await using secretless = await startService({ ...github.env, OAuth__External__GitHub__ClientSecret: '' })
    assert.equal((await new Browser(secretless).submit('/Account/ExternalLogin', { provider: 'GitHub' })).status, 302)
  })

  it('carries a return address with a state of 8000 characters through, and refuses one beyond 16,384', async () => {
    const long = `/after?state=${randomBytes(6000).toString('base64url')}`
    const browser = new Browser(service)
    const response = await authenticate(browser, long)
    assert.equal(locationOf(response).searchParams.get('returnUrl'), long)
    const started = await browser.submit(`/Account/ExternalLogin?returnUrl=${encodeURIComponent(long)}`, {
      provider: 'GitHub',
    })
    assert.ok(
      started.headers.getSetCookie().every((line) => line.length <= 4096),
      'browsers keep 4096 bytes a cookie',
    )
    const beyond = await browser.submit(`/Account/ExternalLogin?returnUrl=/${'x'.repeat(16_384)}`, {
      provider: 'GitHub',
    })
    assert.equal(beyond.status, 400)
  })

  it('does not fill the browser with sign-ins that were begun and left', async () => {
    const browser = new Browser(service)
    for (let begun = 0; begun < 30; begun += 1) await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    assert.equal(pendingCookies(browser).length, 7)
  })

  it('keeps as many cookies of sign-ins with long addresses, and the last one works', async () => {
    const browser = new Browser(service)
    const long = () => `/after?state=${randomBytes(6000).toString('base64url')}`
    for (let begun = 0; begun < 7; begun += 1) await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    assert.equal(pendingCookies(browser).length, 7, 'of short ones')
    for (let begun = 0; begun < 3; begun += 1) {
      const path = `/Account/ExternalLogin?returnUrl=${encodeURIComponent(long())}`
      assert.equal((await browser.submit(path, { provider: 'GitHub' })).status, 302)
      assert.equal(pendingCookies(browser).length, 7)
    }
    const last = long()
    const response = await authenticate(browser, last)
    assert.equal(locationOf(response).searchParams.get('returnUrl'), last)
  })

  it('answers 404 {error: unknown_provider} to an unknown, unconfigured or missing one [S4.7.5, S7.14]', async () => {
    for (const fields of [{ provider: 'GitLab' }, { provider: 'Empty' }, { provider: '' }, {}]) {
      const response = await new Browser(service).submit('/Account/ExternalLogin', fields)
      assert.equal(response.status, 404)
      assert.deepEqual(await response.json(), { error: 'unknown_provider' })
    }
  })

  it('refuses a missing anti-forgery token: 400, empty body [S5.5.2]', async () => {
    const response = await new Browser(service).post('/Account/ExternalLogin', { provider: 'GitHub' })
    assert.equal(response.status, 400)
    assert.equal(await response.text(), '')
  })
})

describe('/callback/login/<provider>', () => {
  it('writes the external cookie, encrypted and non-persistent, and goes on [S2.10.3, S2.10.4, S3.10, S4.7.7, S4.7.8, S8.1]', async () => {
    const browser = new Browser(service)
    const response = await authenticate(browser)
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), '/Account/ExternalLoginCallback?returnUrl=%2Fafter%3Fx%3D1')
    const cookie = browser.setCookies.find((line) => line.startsWith('latchkey.external=')) ?? ''
    assert.match(cookie, /HttpOnly/)
    assert.doesNotMatch(cookie, /Expires|Max-Age/i)
    assert.ok(!Buffer.from(cookie, 'base64').toString('latin1').includes('example.com'))
    const logged = JSON.stringify(service.log)
    assert.ok(!logged.includes('gho_'), 'no token in the log')
    assert.ok(!logged.includes('github-secret'))
  })

  it('takes the answer as a form too, without an anti-forgery token [S4.7.7, S5.5.6]', async () => {
    const browser = new Browser(service)
    const answer = await toProvider(browser)
    const response = await browser.post('/callback/login/GitHub', Object.fromEntries(answer.searchParams))
    assert.equal(locationOf(response).pathname, '/Account/ExternalLoginCallback')
  })

  it('answers 400 to a forged, missing, doubled, replayed, cross-browser or expired state [S4.7.9, S7.16]', async () => {
    const browser = new Browser(service)
    const answer = await toProvider(browser)
    const path = (change: (query: URLSearchParams) => void): string => {
      const url = new URL(answer)
      change(url.searchParams)
      return url.href
    }
    const state = answer.searchParams.get('state') ?? ''
    for (const [what, visitor, address] of [
      ['forged', browser, path((query) => query.set('state', 'A'.repeat(32)))],
      ['missing', browser, path((query) => query.delete('state'))],
      ['doubled', browser, path((query) => query.append('state', state))],
      ['of another browser', new Browser(service), answer.href],
    ] as const) {
      const response = await visitor.fetch(address)
      assert.equal(response.status, 400, what)
      assert.match(((await response.json()) as { error_uri: string }).error_uri, /#ID9006$/)
    }
    const stolen = new Map(browser.cookies)
    assert.equal((await browser.fetch(answer.href)).status, 302)
    assert.equal((await browser.fetch(answer.href)).status, 400, 'replayed')
    const thief = new Browser(service)
    for (const [name, value] of stolen) thief.cookies.set(name, value)
    assert.equal((await thief.fetch(answer.href)).status, 400, 'replayed with a copy of the cookie')

    const late = new Browser(service)
    const lateAnswer = await toProvider(late)
    service.advance(15 * 60 + 1)
    assert.equal((await late.fetch(lateAnswer.href)).status, 400, 'expired')
  })

  it('goes to external_provider_error when the visitor cancels [S4.7.14, C4.23]', async () => {
    github.behaviour = 'denies'
    const browser = new Browser(service)
    const response = await browser.fetch((await toProvider(browser)).href)
    assert.equal(
      response.headers.get('location'),
      '/Account/ExternalLoginCallback?returnUrl=%2Fafter%3Fx%3D1&error=access_denied',
    )
    const next = await browser.fetch(locationOf(response).href)
    assert.equal(
      next.headers.get('location'),
      '/Account/Login?ReturnUrl=%2Fafter%3Fx%3D1&error=external_provider_error',
    )
  })

  for (const behaviour of ['wrong_code', 'nonsense', 'no_user', 'huge', 'redirects'] as const) {
    it(`answers 502 with a trace id that the log has, and creates nothing, when the provider does this: ${behaviour} [S4.7.10, S7.17, C4.24]`, async () => {
      const browser = new Browser(service)
      const answer = await toProvider(browser)
      github.behaviour = behaviour
      const response = await browser.fetch(answer.href, { headers: { accept: 'text/html' } })
      assert.equal(response.status, 502)
      const traceId = response.headers.get('x-trace-id') ?? ''
      assert.ok((await response.text()).includes(traceId))
      assert.ok(service.log.some((line) => line.traceId === traceId && line.level === 40))
      assert.deepEqual(externalCookies(browser), [])
    })
  }

  it('gives up on a provider that does not answer [C4.24]', async () => {
    await using impatient = await startService(github.env, { providerDeadlineMs: 50 })
    const browser = new Browser(impatient)
    const answer = await toProvider(browser)
    github.behaviour = 'hangs'
    const response = await browser.fetch(answer.href)
    assert.equal(response.status, 502)
    assert.match(await response.text(), /ID9502/)
  })

  it('answers 502 when the provider is down [C4.24]', async () => {
    const gone = await startFakeGithub()
    await using lonely = await startService(gone.env)
    const browser = new Browser(lonely)
    const answer = await toProvider(browser)
    await gone.stop()
    const response = await browser.fetch(answer.href)
    assert.equal(response.status, 502)
    assert.match(await response.text(), /ID9502/)
  })
})

describe('GET /Account/ExternalLoginCallback', () => {
  it('asks a new visitor to confirm the account, and keeps the cookie [S1.5, S2.9.1, S3.12, S4.7.11, S4.7.19, C4.3]', async () => {
    const browser = new Browser(service)
    const next = await browser.fetch(locationOf(await authenticate(browser)).href)
    assert.equal(next.headers.get('location'), '/Account/ExternalLoginConfirm?returnUrl=%2Fafter%3Fx%3D1')
    const pending = await browser.get('/Account/ExternalLoginPending')
    assert.deepEqual(await pending.json(), {
      provider: 'GitHub',
      displayName: 'GitHub',
      email: `user${nextId}@example.com`,
    })
  })

  it('says external_login_unavailable without, with a spoiled and with an expired cookie, and clears it [S2.10.4, S3.10, S4.7.11, S4.7.15, S7.15, S8.1]', async () => {
    const expected = '/Account/Login?ReturnUrl=%2Fx&error=external_login_unavailable'
    const path = '/Account/ExternalLoginCallback?returnUrl=/x'
    assert.equal((await new Browser(service).get(path)).headers.get('location'), expected)
    const spoiled = new Browser(service)
    await authenticate(spoiled)
    spoiled.cookies.set('latchkey.external', `${spoiled.cookies.get('latchkey.external')}A`)
    assert.equal((await spoiled.get(path)).headers.get('location'), expected)
    assert.deepEqual(externalCookies(spoiled), [])
    const late = new Browser(service)
    await authenticate(late)
    service.advance(299)
    assert.equal((await late.get('/Account/ExternalLoginPending')).status, 200)
    service.advance(2)
    assert.equal((await late.get('/Account/ExternalLoginPending')).status, 404)
    assert.equal((await late.get(path)).headers.get('location'), expected)
  })

  for (const returnUrl of ['https://evil.test/', '//evil.test', '/\\evil.test', '/\t/evil.test', '', 'x']) {
    it(`uses / for the return address ${JSON.stringify(returnUrl)} [S4.7.13, S5.6.1]`, async () => {
      const browser = new Browser(service)
      const response = await authenticate(browser, returnUrl)
      assert.equal(locationOf(response).searchParams.get('returnUrl'), '/')
      const direct = await browser.get(
        `/Account/ExternalLoginCallback?error=x&returnUrl=${encodeURIComponent(returnUrl)}`,
      )
      assert.equal(locationOf(direct).searchParams.get('ReturnUrl'), '/')
    })
  }

  it('lets a bound visitor straight in, non-persistently, and clears the external cookie [S2.10.5, S3.11, S4.7.16]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    await register(browser)
    const again = new Browser(service)
    const done = await again.fetch(locationOf(await authenticate(again)).href)
    assert.equal(done.headers.get('location'), '/after?x=1')
    assert.doesNotMatch(again.setCookies.find((line) => line.includes('session')) ?? 'Expires', /Expires|Max-Age/i)
    assert.deepEqual(externalCookies(again), [])
    assert.equal(await userOf(again), `user${nextId}@example.com`)
  })

  it('says account_locked and account_not_allowed, and keeps the visitor out [S4.7.17, S4.7.18]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    await register(browser)
    for (const [change, error] of [
      [{ lockedUntilMs: service.now() + 1e9 }, 'account_locked'],
      [{ lockedUntilMs: null, disabled: true }, 'account_not_allowed'],
    ] as const) {
      await changeUser(service, `user${nextId}@example.com`, { ...change })
      const visitor = new Browser(service)
      const refused = await visitor.fetch(locationOf(await authenticate(visitor)).href)
      assert.equal(locationOf(refused).searchParams.get('error'), error)
      assert.equal(await userOf(visitor), undefined)
    }
  })
})

describe('POST /Account/ExternalLoginRegister (specification 4.7)', () => {
  it('creates user, external login and session at once: no password, e-mail not confirmed [S2.5.3, S2.10.5, S3.14, S4.7.12, S4.7.25, S4.7.29, S4.7.30, C4.4]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    const response = await register(browser)
    assert.equal(response.headers.get('location'), '/after')
    assert.equal(await userOf(browser), `user${nextId}@example.com`)
    const user = await service.storage.users.findByExternalLogin('github', String(nextId))
    assert.equal(user?.emailConfirmed, false)
    assert.equal(user?.passwordHash, null)
    assert.deepEqual(externalCookies(browser), [])
  })

  it('ends the session that the browser had before, at the registration and at a later sign-in', async () => {
    const browser = new Browser(service)
    for (const finish of [
      () => register(browser),
      () => browser.get('/Account/ExternalLoginCallback?returnUrl=/after'),
    ]) {
      await browser.signIn()
      const before = new Browser(service)
      before.cookies.set('latchkey.session', browser.cookies.get('latchkey.session') ?? '')
      await authenticate(browser)
      assert.equal(await userOf(before), 'alice')
      assert.equal((await finish()).headers.get('location'), '/after')
      assert.equal(await userOf(browser), `user${nextId}@example.com`)
      assert.equal(await userOf(before), undefined)
    }
  })

  it('never links to an existing account by e-mail address [S1.4, S4.7.28, S4.7.31]', async () => {
    github.emails = [{ email: 'alice@example.com', primary: true, verified: true }]
    const browser = new Browser(service)
    await authenticate(browser)
    const response = await register(browser, { email: 'ALICE@example.com', ReturnUrl: '/x' })
    assert.equal(
      response.headers.get('location'),
      '/Account/ExternalLoginConfirm?returnUrl=%2Fx&error=email_in_use&email=ALICE%40example.com',
    )
    assert.equal(await userOf(browser), undefined)
    const alice = await service.storage.users.findByName('alice')
    assert.notEqual((await service.storage.users.findByExternalLogin('github', String(nextId)))?.id, alice?.id)
    const retry = await register(browser, { email: `other${nextId}@example.com` })
    assert.equal(retry.headers.get('location'), '/after', 'a retry with another address succeeds')
  })

  for (const email of ['', ' ', 'x', '@x', 'x@', 'a@b@c', 'a b@c', 'a@b\n', `${'x'.repeat(250)}@y.test`]) {
    it(`sends ${JSON.stringify(email.slice(0, 20))} back to the confirm page with email_invalid, before the cookie is read [S4.7.23, S4.7.24]`, async () => {
      for (const browser of [new Browser(service), await withIdentity()]) {
        const response = await register(browser, { email })
        const location = locationOf(response)
        if (email === 'a@b\n') continue
        assert.equal(location.pathname, '/Account/ExternalLoginConfirm')
        assert.equal(location.searchParams.get('error'), 'email_invalid')
        assert.equal(location.searchParams.get('email') ?? '', email.trim())
      }
    })
  }

  it('sends an address back that is no name by the profile, or looks like the name of somebody else (UTS 39)', async () => {
    const browser = await withIdentity()
    const errorOf = async (email: string) => locationOf(await register(browser, { email })).searchParams.get('error')
    assert.equal(await errorOf('jоhn@example.com'), 'email_invalid', 'a Cyrillic o between Latin letters')
    assert.equal(await errorOf('jo\u200bhn@example.com'), 'email_invalid')
    await service.storage.users.create(testUser({ name: 'paul@example.com', email: 'p@example.com' }))
    assert.equal(await errorOf('pau1@example.com'), 'email_in_use')
    assert.equal(await errorOf(`иван${nextId}@example.com`), null, 'another script is welcome')
  })

  async function withIdentity(): Promise<Browser> {
    const browser = new Browser(service)
    await authenticate(browser)
    return browser
  }

  it('says external_login_unavailable without an external cookie [S4.7.24]', async () => {
    const response = await register(new Browser(service), { ReturnUrl: '/x' })
    assert.equal(response.headers.get('location'), '/Account/Login?ReturnUrl=%2F&error=external_login_unavailable')
  })

  it('signs the existing account in when the identity is bound already [S4.7.27, C4.5]', async () => {
    const first = await withIdentity()
    const second = await withIdentity()
    await register(first)
    assert.equal((await register(second)).headers.get('location'), '/after')
    assert.equal(await userOf(second), await userOf(first))
  })

  it('makes one user of 20 simultaneous posts, and signs all of them in [S4.7.27]', async () => {
    const browser = await withIdentity()
    const token = await browser.antiforgeryToken()
    const fields = { email: `user${nextId}@example.com`, ReturnUrl: '/after', __RequestVerificationToken: token }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post('/Account/ExternalLoginRegister', fields)),
    )
    assert.deepEqual(
      [...new Set(answers.map((answer) => `${answer.status} ${answer.headers.get('location')}`))],
      ['302 /after'],
    )
    const users = await service.storage.users.list()
    assert.equal(users.filter(({ email }) => email === `user${nextId}@example.com`).length, 1)
  })

  it('refuses a missing anti-forgery token: 400, empty body, nothing created [S4.7.22, S5.5.3]', async () => {
    const browser = await withIdentity()
    const response = await browser.post('/Account/ExternalLoginRegister', { email: 'x@example.com' })
    assert.equal(response.status, 400)
    assert.equal(await response.text(), '')
    assert.equal(await service.storage.users.findByExternalLogin('github', String(nextId)), undefined)
  })

  it('keeps the account but gives no session when e-mail addresses must be confirmed [S4.7.18, C4.22]', async () => {
    await using strict = await startService({ ...github.env, Accounts__RequireConfirmedEmail: 'true' })
    const browser = new Browser(strict)
    await authenticate(browser)
    const response = await register(browser)
    assert.equal(response.headers.get('location'), '/Account/Login?ReturnUrl=%2Fafter&error=account_not_allowed')
    assert.ok(await strict.storage.users.findByExternalLogin('github', String(nextId)))
    assert.equal(await userOf(browser), undefined)
    const again = new Browser(strict)
    const refused = await again.fetch(locationOf(await authenticate(again)).href)
    assert.equal(locationOf(refused).searchParams.get('error'), 'account_not_allowed')
  })

  it('takes the primary, verified address of GitHub, and none when there is none [C4.3]', async () => {
    github.emails = [{ email: 'unverified@example.com', primary: true, verified: false }]
    const browser = new Browser(service)
    await authenticate(browser)
    const pending = (await (await browser.get('/Account/ExternalLoginPending')).json()) as { email: string | null }
    assert.equal(pending.email, null)
  })

  it('tells people apart whose keys at a provider begin alike, and refuses a key beyond 255 characters [S2.5.5]', async () => {
    const env = Object.fromEntries(
      Object.entries(github.env).map(([name, value]) => [name.replace('__GitHub__', '__Plain__'), value]),
    )
    await using plain = await startService({ ...env, OAuth__External__Plain__ClientSecret: 'github-secret' })
    const arrive = async (id: string): Promise<Response> => {
      github.user = { ...github.user, id: id as never }
      const browser = new Browser(plain)
      return browser.fetch((await toProvider(browser, '/after', 'Plain')).href)
    }
    assert.equal((await arrive('k'.repeat(255))).status, 302)
    assert.equal((await arrive(`${'k'.repeat(255)}1`)).status, 502, 'never cut to the key of somebody else')
  })

  it('signs in without an address when the provider keeps the addresses to itself', async () => {
    github.behaviour = 'no_emails'
    const browser = new Browser(service)
    await authenticate(browser)
    const pending = (await (await browser.get('/Account/ExternalLoginPending')).json()) as { email: string | null }
    assert.equal(pending.email, null)
  })

  it('knows a bound visitor again however the settings spell the provider', async () => {
    const browser = await withIdentity()
    await register(browser)
    const user = await service.storage.users.findByExternalLogin('github', String(nextId))
    assert.ok(user)
    await using respelled = await startService(
      Object.fromEntries(Object.entries(github.env).map(([name, value]) => [name.toUpperCase(), value])),
    )
    const listed = await (await new Browser(respelled).get('/Account/ExternalProviders')).json()
    assert.deepEqual(listed, [{ name: 'GitHub', displayName: 'GitHub' }])
  })

  it('does not sign in by password an account that has none', async () => {
    const browser = await withIdentity()
    await register(browser)
    const visitor = new Browser(service)
    const response = await visitor.signIn({ username: `user${nextId}@example.com`, password: '' })
    assert.equal(locationOf(response).searchParams.get('error'), 'invalid_credentials')
    assert.ok(testUser().passwordHash)
  })
})
