import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { budgetsWith } from '../../src/http/budgets.ts'
import { hashPassword } from '../../src/secrets/password.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { addUser, changeUser, password, serviceForFile, startService, testUser } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })
await service.storage.users.create(testUser({ name: 'nopassword', email: 'no@example.com', passwordHash: null }))
beforeEach(async () => {
  await changeUser(service, 'alice', { failedAttempts: 0, lockedUntilMs: null })
})

const sessionCookie = (browser: Browser) => browser.setCookies.find((line) => line.startsWith('latchkey.session='))

describe('POST /Account/Login (specification 4.6)', () => {
  it('signs in, sets a browser-session cookie and redirects to ReturnUrl unchanged [S1.2, S3.5, S3.6, S4.0, S4.6.7, S5.1.1, S8.2]', async () => {
    const browser = new Browser(service)
    const response = await browser.signIn({ ReturnUrl: '/a//b?x=%2F%0a&y=1' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), '/a//b?x=%2F%0a&y=1')
    const cookie = sessionCookie(browser) ?? ''
    assert.match(cookie, /; Path=\//)
    assert.match(cookie, /; HttpOnly/)
    assert.match(cookie, /; SameSite=Lax/)
    assert.doesNotMatch(cookie, /Expires|Max-Age/i)
  })

  for (const rememberMe of ['true', 'on', 'anything', '']) {
    it(`keeps the cookie for 14 days when rememberMe was sent as '${rememberMe}' [S3.5, S4.6.5, S5.1.2, S8.2, C4.25]`, async () => {
      const browser = await Browser.signedIn(service, { rememberMe })
      assert.match(sessionCookie(browser) ?? '', /; Max-Age=1209600/)
    })
  }

  it('takes the first rememberMe of a checkbox and its hidden field, and no other field twice (ID9001)', async () => {
    const browser = new Browser(service)
    const pair = [
      ['rememberMe', 'true'],
      ['rememberMe', 'false'],
    ] as const
    const given = [['username', 'alice'], ['password', password], ...pair] as const
    assert.equal((await browser.submit('/Account/Login', given)).status, 302)
    assert.match(sessionCookie(browser) ?? '', /; Max-Age=1209600/)
    const wrong = [['username', 'alice'], ['password', 'wrong'], ...pair] as const
    const refused = await new Browser(service).submit('/Account/Login', wrong)
    assert.equal(new URL(refused.headers.get('location') ?? '', service.issuer).searchParams.get('rememberMe'), 'true')
    for (const twice of ['username', 'password'] as const) {
      const answer = await new Browser(service).submit('/Account/Login', [...given, [twice, 'x']])
      assert.equal(answer.status, 400, twice)
      assert.match(await answer.text(), /ID9001/)
    }
  })

  it('records the application that the sign-in leads to, and the browser in words that it recognises', async () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const entryOf = async (returnUrl: string) => {
      const browser = new Browser(service)
      const token = await browser.antiforgeryToken()
      const fields = { username: 'alice', password, ReturnUrl: returnUrl, __RequestVerificationToken: token }
      await browser.post('/Account/Login', fields, { 'user-agent': agent })
      const [entry] = await service.storage.audit.newest({ kind: 'sign_in' }, 1)
      return entry
    }
    const signedIn = await entryOf('/connect/authorize?client_id=demo&state=x')
    assert.equal(signedIn?.clientId, 'demo')
    assert.deepEqual(signedIn?.details, { browser: 'Firefox', system: 'Windows', method: 'pwd' })
    for (const other of [
      '/',
      '/elsewhere?client_id=demo',
      '/connect/authorize',
      '/connect/authorize?client_id=%1b[31m',
    ]) {
      assert.equal((await entryOf(other))?.clientId, null, other)
    }
  })

  it('names the console for people whose roles permit it alone, so that nobody leaves a sign-in out of lists and figures', async () => {
    const { storage } = service
    const entryOf = async (username: string) => {
      const ReturnUrl = '/connect/authorize?client_id=latchkey-console'
      assert.equal((await new Browser(service).signIn({ username, ReturnUrl })).headers.get('location'), ReturnUrl)
      const [entry] = await storage.audit.newest({ kind: 'sign_in' }, 1)
      return entry
    }
    const bob = await addUser(service, 'bob', { roles: ['editor'] })
    await addUser(service, 'viewer', { roles: ['latchkey-viewer'] })
    const hidden = (await storage.audit.newest({ kind: 'sign_in', withoutClientId: 'latchkey-console' }, 500)).length
    const unnamed = await entryOf('bob')
    assert.deepEqual([unnamed?.userId, unnamed?.clientId], [bob.id, null])
    assert.equal((await entryOf('viewer'))?.clientId, 'latchkey-console')
    const shown = await storage.audit.newest({ kind: 'sign_in', withoutClientId: 'latchkey-console' }, 500)
    assert.equal(shown.length, hidden + 1)
    // By a role that includes it, once this process has read the catalogue.
    const nowMs = service.now()
    await storage.roles.create({ name: 'editor', description: '', createdAtMs: nowMs, includes: ['latchkey-admin'] })
    await storage.catalogue.now()
    assert.equal((await entryOf('bob'))?.clientId, 'latchkey-console')
  })

  it('reads field names without regard to case, and an empty ReturnUrl as / [S4.6.2]', async () => {
    const browser = new Browser(service)
    const fields = { USERNAME: 'alice', Password: password, returnurl: '' }
    const response = await browser.submit('/Account/Login', fields)
    assert.equal(response.headers.get('location'), '/')
  })

  it('finds the user whatever the case of the name [S2.5.2]', async () => {
    assert.equal((await new Browser(service).signIn({ username: 'ALICE' })).headers.get('location'), '/')
  })

  it('percent-encodes what a header cannot hold', async () => {
    const response = await new Browser(service).signIn({ ReturnUrl: '/ü €' })
    assert.equal(response.headers.get('location'), '/%C3%BC%20%E2%82%AC')
  })

  it('takes ~/ for the root of the service, as the framework does', async () => {
    for (const [sent, expected] of [
      ['~/foo?a=1', '/foo?a=1'],
      ['~/', '/'],
    ] as const) {
      const response = await new Browser(service).signIn({ ReturnUrl: sent })
      assert.deepEqual([response.status, response.headers.get('location')], [302, expected])
    }
  })

  for (const returnUrl of [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\\\\evil.test',
    '~//evil.test',
    '~/\\evil.test',
    '~x',
    ' /x',
    'x',
    'javascript:alert(1)',
  ]) {
    it(`answers 500 without Location and without a session for ReturnUrl ${JSON.stringify(returnUrl)} [S4.6.9, S5.6.2, S7.3]`, async () => {
      const browser = new Browser(service)
      const response = await browser.signIn({ ReturnUrl: returnUrl })
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('location'), null)
      assert.equal(sessionCookie(browser), undefined)
      assert.doesNotMatch(await response.text(), /\bat .*\.ts:/)
    })
  }

  it('does not distinguish a wrong password, an unknown user, an account without password and a locked one [S3.7, S4.6.10, S7.1, C4.25]', async () => {
    const alice = await service.storage.users.findByName('alice')
    await addUser(service, 'locked', { lockedUntilMs: service.now() + 3_600_000 })
    assert.ok(alice)
    for (const [username, secret] of [
      ['alice', 'wrong'],
      ['nobody', password],
      ['nopassword', password],
      ['locked', password],
      ['', ''],
    ] as const) {
      const response = await new Browser(service).signIn({
        username,
        password: secret,
        ReturnUrl: '/x?a=1',
        rememberMe: 'yes',
      })
      assert.equal(response.status, 302)
      const query = new URLSearchParams({
        ReturnUrl: '/x?a=1',
        error: 'invalid_credentials',
        username,
        rememberMe: 'yes',
      })
      assert.equal(response.headers.get('location'), `/Account/Login?${query}`)
      assert.equal(response.headers.getSetCookie().length, 0)
    }
  })

  it('refuses a missing, mismatched or foreign anti-forgery token: 400, empty body [S4.6.1, S4.6.6, S4.6.11, S5.5.1, S5.5.7, S7.2, C4.14]', async () => {
    const browser = new Browser(service)
    const own = await browser.antiforgeryToken()
    const foreign = await new Browser(service).antiforgeryToken()
    for (const token of [undefined, '', 'x', foreign, `${own}x`, own.toUpperCase()]) {
      const fields = {
        username: 'alice',
        password,
        ...(token === undefined ? {} : { __RequestVerificationToken: token }),
      }
      const response = await browser.post('/Account/Login', fields)
      assert.equal(response.status, 400)
      assert.equal(await response.text(), '')
      assert.equal(response.headers.getSetCookie().length, 0)
    }
  })

  it('changes the session id at sign-in and ends the session before', async () => {
    const browser = await Browser.signedIn(service)
    const before = browser.cookies.get('latchkey.session') ?? ''
    await browser.signIn()
    assert.notEqual(browser.cookies.get('latchkey.session'), before)
    const old = new Browser(service)
    old.cookies.set('latchkey.session', before)
    assert.deepEqual(await (await old.get('/Account/Session')).json(), { user: null })
  })

  it('reads the session before once, though it both judges the form and ends there', async () => {
    const browser = await Browser.signedIn(service)
    const token = await browser.antiforgeryToken()
    const { sessions } = service.storage
    const { find } = sessions
    let reads = 0
    sessions.find = (id) => {
      reads += 1
      return find(id)
    }
    try {
      await browser.post('/Account/Login', { username: 'alice', password, __RequestVerificationToken: token })
    } finally {
      sessions.find = find
    }
    assert.equal(reads, 1)
  })

  it('refuses oversized fields with a clear 4xx', async () => {
    const long = await new Browser(service).signIn({ ReturnUrl: `/${'x'.repeat(16_384)}` })
    assert.equal(long.status, 400)
    assert.match(((await long.json()) as { error_description: string }).error_description, /ID9002.*ReturnUrl/)
    const name = await new Browser(service).signIn({ username: 'x'.repeat(5000) })
    assert.equal(locationOf(name).searchParams.get('error'), 'invalid_credentials')
    const secret = await new Browser(service).signIn({ password: 'x'.repeat(5000) })
    assert.equal(locationOf(secret).searchParams.get('error'), 'invalid_credentials')
  })
})

describe('lockout after failed passwords (specification 5.1, contract 3)', () => {
  const attempt = async (secret: string) => {
    const response = await new Browser(service).signIn({ password: secret })
    return locationOf(response).searchParams.get('error') ?? 'signed in'
  }

  it('locks at the fifth failure, refuses the right password while it lasts, and ends by itself [S2.5.6, S3.8, S4.6.12, S5.1.3, S8.5, C3.19, C4.19]', async () => {
    for (let failure = 0; failure < 5; failure += 1) assert.equal(await attempt('wrong'), 'invalid_credentials')
    assert.equal(await attempt(password), 'invalid_credentials')
    // Attempts take their time on a busy machine, which counts as well.
    service.advance(240)
    assert.equal(await attempt(password), 'invalid_credentials')
    service.advance(61)
    assert.equal(await attempt(password), 'signed in')
  })

  it('starts the count anew after a success [C3.19]', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) await attempt('wrong')
      assert.equal(await attempt(password), 'signed in')
    }
  })

  it('judges no more than five of 20 parallel guesses, and refuses the right one after them', async () => {
    await Promise.all(Array.from({ length: 20 }, () => attempt('wrong')))
    const alice = await service.storage.users.findByName('alice')
    assert.equal(alice?.failedAttempts, 0)
    assert.ok((alice?.lockedUntilMs ?? 0) > service.now())
    assert.equal(await attempt(password), 'invalid_credentials')
  })
})

describe('failed attempts of one address (contract 3)', () => {
  it('answers 429 with Retry-After over the limit; successes do not count [S8.7, C3.23]', async () => {
    await using limited = await startService({ RateLimit__LoginPerMinute: '3' })
    for (let success = 0; success < 5; success += 1) await new Browser(limited).signIn()
    for (let failure = 0; failure < 3; failure += 1) await new Browser(limited).signIn({ username: `nobody${failure}` })
    const refused = await new Browser(limited).signIn()
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal(((await refused.json()) as { error: string }).error, 'too_many_requests')
    limited.advance(61)
    const office = await Promise.all(Array.from({ length: 12 }, () => new Browser(limited).signIn()))
    assert.deepEqual([...new Set(office.map(({ status }) => status))], [302], 'whole offices share an address')
    assert.equal((await new Browser(limited).signIn()).status, 302)
  })
})

describe('a sign-in that waits for its turn', () => {
  it('is judged by the password as it is then, not as it was when the request came', async () => {
    const budgets = budgetsWith({ loginPerMinute: 30, pushedRequestsPerMinute: 300 }, Date.now, 1)
    const { attempts } = budgets
    await using busy = await startService({}, { budgets })
    const passwordHash = await hashPassword('N3w-passw0rd')
    const somebody = await attempts.take('192.0.2.1')
    const signingIn = new Browser(busy).signIn({ password: 'N3w-passw0rd' })
    while (attempts.load().waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    await changeUser(busy, 'alice', { passwordHash })
    assert.ok(somebody.allowed)
    somebody.settle('not_failed')
    assert.equal((await signingIn).headers.get('location'), '/')
  })
})

describe('Accounts:RequireConfirmedEmail (contract 4)', () => {
  it('says account_not_allowed only after the right password [C3.20, C4.21]', async () => {
    await using strict = await startService({ Accounts__RequireConfirmedEmail: 'true' })
    await addUser(strict, 'new', { emailConfirmed: false })
    const wrong = await new Browser(strict).signIn({ username: 'new', password: 'wrong' })
    assert.equal(locationOf(wrong).searchParams.get('error'), 'invalid_credentials')
    const right = await new Browser(strict).signIn({ username: 'new' })
    assert.equal(locationOf(right).searchParams.get('error'), 'account_not_allowed')
  })
})
