/** A planted cookie is worth nothing, a session ends when it should, and a forged form is refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizeParameters, authorizePath, Browser, locationOf } from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addClient, addUser, password, serviceForFile, startService, testUser } from '../support/service.ts'
import { arriveFromProvider, copyOf, whoIs } from './attacker.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '1000' })
await addUser(service, 'mallory')
await addClient(service, { id: 'first-party', consent: 'implicit' })

const session = 'latchkey.session'
const browserWith = (cookies: Iterable<readonly [string, string]>): Browser => {
  const browser = new Browser(service)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

describe('session fixation and cookie tossing', () => {
  it('gives a new session at the sign-in, and leaves a planted cookie worth nothing', async () => {
    const mallory = await Browser.signedIn(service, { username: 'mallory' })
    const planted = [mallory.cookies.get(session) ?? '', 'A'.repeat(64), 'fixed', '', `${'A'.repeat(5000)}`]
    for (const value of planted) {
      const victim = browserWith([[session, value]])
      await victim.signIn()
      const given = victim.cookies.get(session) ?? ''
      assert.equal(await whoIs(victim), 'alice')
      assert.notEqual(given, value)
      assert.notEqual(await whoIs(browserWith([[session, value]])), 'alice')
    }
  })

  it('ends a session that was planted in a browser when its owner signs in there', async () => {
    const mallory = await Browser.signedIn(service, { username: 'mallory' })
    const kept = copyOf(mallory)
    const victim = browserWith([[session, mallory.cookies.get(session) ?? '']])
    await victim.signIn()
    assert.equal(await whoIs(victim), 'alice')
    assert.equal(await whoIs(kept), undefined)
  })

  it('reads at most one of two session cookies, and never a mixture', async () => {
    const [alice, mallory] = [new Browser(service), new Browser(service)]
    await alice.signIn()
    await mallory.signIn({ username: 'mallory' })
    const [ofAlice, ofMallory] = [alice.cookies.get(session) ?? '', mallory.cookies.get(session) ?? '']
    const half = (value: string): [string, string] => [value.slice(0, 22), value.slice(22)]
    for (const [cookie, expected] of [
      [`${session}=${ofAlice}; ${session}=${ofMallory}`, ['alice']],
      [`${session}=${ofAlice}, ${session}=${ofMallory}`, [undefined]],
      [`${session}=${half(ofAlice)[0]}${half(ofMallory)[1]}`, [undefined]],
      [`${session}=${half(ofMallory)[0]}${half(ofAlice)[1]}`, [undefined]],
      [`$Version=1; ${session}=${ofAlice}; $Path=/; Latchkey.Session=${ofMallory}`, ['alice']],
      [`LATCHKEY.SESSION=${ofAlice}`, [undefined]],
      [`__Host-${session}=${ofAlice}`, [undefined]],
      [`${session}.=${ofAlice}; .${session}=${ofAlice}; ${session}x=${ofAlice}`, [undefined]],
    ] as const) {
      const { user } = (await (await new Browser(service).get('/Account/Session', { cookie })).json()) as {
        user: { name: string } | null
      }
      assert.ok((expected as readonly (string | undefined)[]).includes(user?.name), `${cookie}: ${user?.name}`)
    }
  })

  it('reads only __Host- names under https, so that no neighbouring host plants a cookie (RFC 6265bis §4.1.3.2)', async () => {
    await using secure = await startService({ OAuth__Issuer: 'https://id.example/' })
    const address = { issuer: secure.address }
    const victim = await Browser.signedIn(address)
    const real = victim.cookies.get('__Host-latchkey.session') ?? ''
    assert.ok(real, 'signed in')
    for (const name of [
      'latchkey.session',
      '__Secure-latchkey.session',
      '__host-latchkey.session',
      '__HOST-latchkey.session',
    ]) {
      const planted = new Browser(address)
      planted.cookies.set(name, real)
      assert.equal(await whoIs(planted), undefined, name)
    }
    for (const start of ['\u00a0', '\u2000', '\u0085', '"', '%']) {
      const cookie = Buffer.from(`${start}__Host-latchkey.session=${real}`).toString('latin1')
      const answer = await new Browser(address).get('/Account/Session', { cookie })
      assert.deepEqual(await answer.json(), { user: null }, JSON.stringify(start))
    }
    const planted = new Browser(address)
    planted.cookies.set('latchkey.antiforgery', 'A'.repeat(43))
    await planted.antiforgeryToken()
    assert.notEqual(planted.cookies.get('__Host-latchkey.antiforgery'), 'A'.repeat(43))
  })

  it('refuses cookies of one kind in the place of another', async () => {
    const browser = new Browser(service)
    await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    const [state = ''] = [...browser.cookies].filter(([name]) => name.includes('state.')).map(([, value]) => value)
    await arriveFromProvider(browser)
    const identity = browser.cookies.get('latchkey.external') ?? ''
    await new Browser(service).get(authorizePath({ prompt: 'login' }))
    assert.ok(state && identity)
    for (const [name, value] of [
      ['latchkey.external', state],
      ['latchkey.session', identity],
      ['latchkey.session', state],
      ['latchkey.antiforgery', identity],
    ] as const) {
      const mixed = browserWith([[name, value]])
      assert.equal((await mixed.get('/Account/ExternalLoginPending')).status, 404, name)
      assert.equal(await whoIs(mixed), undefined)
    }
  })

  it('refuses cookies that are too long, too many, cut and joined', async () => {
    const browser = new Browser(service)
    await arriveFromProvider(browser)
    const identity = browser.cookies.get('latchkey.external') ?? ''
    for (const cookies of [
      [['latchkey.external', identity.slice(0, -1)]],
      [['latchkey.external', `${identity}A`]],
      [
        ['latchkey.external', identity],
        ['latchkey.external.1', 'A'],
      ],
      [['latchkey.external', 'A'.repeat(50_000)]],
      [['latchkey.external', identity.split('.')[0] ?? '']],
      [['latchkey.external', `.${identity}`]],
    ] as const) {
      assert.equal((await browserWith(cookies).get('/Account/ExternalLoginPending')).status, 404)
    }
  })

  it('keeps its answers small enough for a proxy when a browser is full of cookies to remove', async () => {
    for (const kind of ['challenge', 'state']) {
      const many = Array.from({ length: 1000 }, (_, index) => [`latchkey.${kind}.${index}`, 'x'] as const)
      const flooded = browserWith(many)
      const asked = await flooded.get(authorizePath({ prompt: 'login' }))
      assert.equal(locationOf(asked).pathname, '/Account/Login')
      assert.ok(flooded.setCookies.join('').length < 4096, `${flooded.setCookies.length} cookies at once`)
      const started = await flooded.submit('/Account/ExternalLogin', { provider: 'GitHub' })
      assert.equal(started.status, 302)
      assert.ok(flooded.setCookies.join('').length < 4096, `${flooded.setCookies.length} cookies at once`)
      const signedIn = await flooded.signIn({ ReturnUrl: '/x' })
      assert.equal(signedIn.headers.get('location'), '/x', kind)
    }
  })
})

describe('sessions that have to end or change', () => {
  it('refuses the cookie from before a sign-in, before a change of person and before the sign-out', async () => {
    const browser = await Browser.signedIn(service)
    const first = copyOf(browser)
    await browser.signIn()
    assert.equal(await whoIs(first), undefined, 'signing in again changes the id and ends the old one')
    const second = copyOf(browser)
    await browser.signIn({ username: 'mallory' })
    assert.equal(await whoIs(second), undefined, 'another person')
    const third = copyOf(browser)
    assert.equal(await whoIs(third), 'mallory')
    await browser.submit('/connect/logout', { Confirm: 'Yes' })
    assert.equal(await whoIs(third), undefined, 'signed out')
  })

  it('ends the password’s session when the person comes in through a provider, and the other way round', async () => {
    github.user = { id: 9001, login: 'ninth', name: null, email: null }
    const browser = await Browser.signedIn(service)
    const byPassword = copyOf(browser)
    await arriveFromProvider(browser)
    const registered = await browser.submit('/Account/ExternalLoginRegister', { email: 'ninth@example.com' })
    assert.equal(registered.headers.get('location'), '/')
    assert.equal(await whoIs(browser), 'ninth@example.com')
    assert.equal(await whoIs(byPassword), undefined)
    const byProvider = copyOf(browser)
    await browser.signIn()
    assert.equal(await whoIs(byProvider), undefined)
  })

  it('refuses an old session after a new password, a lock, and the end of the account', async () => {
    const { users } = service.storage
    for (const [what, end] of [
      ['a new password', (id: string) => users.update(id, (user) => ({ ...user, sessionsEndedAtMs: service.now() }))],
      ['disabled', (id: string) => users.update(id, (user) => ({ ...user, disabled: true }))],
      ['a lockout', (id: string) => users.update(id, (user) => ({ ...user, lockedUntilMs: service.now() + 60_000 }))],
      ['deleted', (id: string) => users.delete(id)],
    ] as const) {
      const name = `ending-${what.replace(/ .*/, '')}-${what.length}`
      const user = testUser({ name, email: `${name}@example.com` })
      await users.create(user)
      const browser = await Browser.signedIn(service, { username: name })
      assert.equal(await whoIs(browser), name, what)
      await end(user.id)
      assert.equal(await whoIs(browser), undefined, what)
      const answer = await browser.get(authorizePath({ client_id: 'first-party', prompt: 'none' }))
      assert.equal(locationOf(answer).searchParams.get('error'), 'login_required', what)
    }
  })

  it('refuses a session whose id is known and whose secret is guessed', async () => {
    const browser = await Browser.signedIn(service)
    const real = Buffer.from(browser.cookies.get(session) ?? '', 'base64url')
    for (const position of [16, 30, 47]) {
      const guess = Buffer.from(real)
      guess[position] = (guess[position] ?? 0) ^ 1
      assert.equal(await whoIs(browserWith([[session, guess.toString('base64url')]])), undefined)
    }
    for (const spelling of [
      `${real.toString('base64url')}=`,
      real.toString('base64'),
      real.toString('hex'),
      ` ${real.toString('base64url')}x`,
    ]) {
      if (spelling !== real.toString('base64url')) {
        assert.equal(await whoIs(browserWith([[session, encodeURIComponent(spelling)]])), undefined, spelling)
      }
    }
  })
})

describe('forged forms (cross-site request forgery)', () => {
  /** What a page of the attacker can send: forms with the victim's Lax cookies left out, and no token of the victim. */
  const forged = [
    ['/Account/Login', { username: 'mallory', password }],
    ['/connect/logout', { Confirm: 'Yes' }],
    ['/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' }],
    ['/connect/authorize', { ...authorizeParameters(), 'submit.Deny': 'No' }],
    ['/Account/ExternalLogin', { provider: 'GitHub' }],
    ['/Account/ExternalLoginRegister', { email: 'forged@example.com' }],
  ] as const

  it('refuses each form without a token, with a token of another browser, and with another browser’s whole pair', async () => {
    const mallory = new Browser(service)
    const anonymousToken = await mallory.antiforgeryToken()
    const anonymousCookie = mallory.cookies.get('latchkey.antiforgery') ?? ''
    await mallory.signIn({ username: 'mallory' })
    const tokenOfMallory = await mallory.antiforgeryToken()
    for (const [path, fields] of forged) {
      const victim = await Browser.signedIn(service)
      await victim.antiforgeryToken()
      const tossed = copyOf(victim)
      tossed.cookies.set('latchkey.antiforgery', anonymousCookie)
      for (const [what, browser, token] of [
        ['no token', victim, undefined],
        ['an empty token', victim, ''],
        ['a token of an anonymous visitor', victim, anonymousToken],
        ['a token of another person', victim, tokenOfMallory],
        ['a planted pair of an anonymous visitor', tossed, anonymousToken],
        ['a planted cookie with another person’s token', tossed, tokenOfMallory],
      ] as const) {
        const pair = token === undefined ? {} : { __RequestVerificationToken: token }
        // Without its token the consent form is an authorization request, which only ever leads to a question.
        const answer = await browser.post(path, { ...fields, ...pair })
        assert.equal(answer.status, 400, `${path}: ${what}`)
        assert.equal(await answer.text(), '', `${path}: ${what}`)
        assert.equal(await whoIs(copyOf(browser)), 'alice', `${path}: ${what}`)
      }
    }
    assert.equal(await service.storage.users.findByName('forged@example.com'), undefined)
  })

  it('refuses them in the content types that a page may send across origins without being asked', async () => {
    const victim = await Browser.signedIn(service)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json', '']) {
      for (const [path] of forged) {
        const body = Buffer.from('username=mallory&password=x&Confirm=Yes')
        const answer = await victim.fetch(path, { method: 'POST', body, headers: { 'content-type': type } })
        assert.ok([400, 415].includes(answer.status), `${path} ${type}: ${answer.status}`)
        assert.equal(await whoIs(victim), 'alice')
      }
    }
  })

  it('ends no session and gives no consent by a link, an image or a prefetch', async () => {
    const victim = await Browser.signedIn(service)
    for (const path of [
      '/connect/logout?Confirm=Yes',
      `${authorizePath()}&submit.Accept=Yes`,
      '/Account/Login?username=mallory&password=Passw0rd!',
      '/Account/ExternalLoginRegister?email=forged@example.com',
    ]) {
      const answer = await victim.get(path)
      assert.doesNotMatch(answer.headers.get('location') ?? '', /[?&]code=/, path)
      assert.equal(await whoIs(victim), 'alice', path)
    }
  })
})
