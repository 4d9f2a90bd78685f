/** Lockout that is no weapon: a browser that signed in before, while strangers keep guessing. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  authorizePath,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addUser, password, serviceForFile, startService, userNamed } from '../support/service.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '1000' })
await addUser(service, 'bob')
beforeEach(async () => {
  for (const name of ['alice', 'bob']) {
    const { id } = await userOf(name)
    await service.storage.users.forgetBrowsers(id)
    await service.storage.users.update(id, (user) => ({
      ...user,
      disabled: false,
      failedAttempts: 0,
      lockedUntilMs: null,
      lockoutBeganAtMs: null,
    }))
  }
})

const userOf = (name = 'alice') => userNamed(service, name)
const deviceLine = (browser: Browser) => browser.setCookies.find((line) => line.startsWith('latchkey.device='))
const deviceOf = (browser: Browser) => browser.cookies.get('latchkey.device') ?? ''
async function attempt(browser: Browser, secret = password, username = 'alice') {
  const response = await browser.signIn({ username, password: secret })
  return locationOf(response).searchParams.get('error') ?? 'signed in'
}
/** How many wrong passwords were looked at. */
const judged = () =>
  service.log.filter((line) => (line.signIn as { outcome: string } | undefined)?.outcome === 'wrong_password').length
/** Strangers guess until the account is locked. */
async function lockOut(username = 'alice') {
  for (let guess = 0; guess < 5; guess += 1) await attempt(new Browser(service), 'wrong', username)
  assert.equal(await attempt(new Browser(service), password, username), 'invalid_credentials')
}
/** A browser in which these people have signed in, the last one first. */
async function knownBrowser(...names: readonly string[]) {
  const browser = new Browser(service)
  for (const name of names) assert.equal(await attempt(browser, password, name), 'signed in')
  // Only what outlives the browser.
  browser.cookies.delete('latchkey.session')
  return browser
}
/** Somebody else's browser with this device cookie, and nothing else. */
function holding(cookie: string) {
  const browser = new Browser(service)
  browser.cookies.set('latchkey.device', cookie)
  return browser
}

describe('the device cookie', () => {
  it('is set by a success, for 180 days, out of reach of scripts and of other sites', async () => {
    const browser = await Browser.signedIn(service)
    const line = deviceLine(browser) ?? ''
    assert.match(line, /; Path=\//)
    assert.match(line, /; HttpOnly/)
    assert.match(line, /; SameSite=Lax/)
    assert.match(line, /; Max-Age=15552000/)
    await browser.submit('/Account/Login', { username: 'alice', password: 'wrong' })
    assert.equal(deviceLine(browser), undefined)
  })

  it('has the __Host- prefix and is Secure when the issuer is https', async () => {
    await using secure = await startService({ OAuth__Issuer: 'https://id.example.com/' })
    const browser = await Browser.signedIn({ issuer: secure.address })
    const line = browser.setCookies.find((cookie) => cookie.startsWith('__Host-latchkey.device=')) ?? ''
    assert.match(line, /; Secure/)
    assert.doesNotMatch(line, /; Domain/)
  })

  it('authenticates nobody', async () => {
    const browser = await knownBrowser('alice')
    assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: null })
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
  })

  it('holds up to four users, the newest first; who is pushed out is a stranger again', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5']
    for (const name of names) await addUser(service, name)
    const browser = await knownBrowser(...names)
    assert.ok(deviceOf(browser).length < 600)
    for (const name of names) await lockOut(name)
    const outcomes = []
    for (const name of names) outcomes.push(await attempt(holding(deviceOf(browser)), password, name))
    assert.deepEqual(outcomes, ['invalid_credentials', 'signed in', 'signed in', 'signed in', 'signed in'])
  })

  it('is set by an external sign-in too, and lets its browser in through the provider during a lockout', async () => {
    github.user = { id: 4242, login: 'cat', name: null, email: null }
    github.emails = [{ email: 'cat@example.com', primary: true, verified: true }]
    const toProvider = async (browser: Browser) => {
      const started = await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider: 'GitHub' })
      const back = locationOf(await fetch(locationOf(started), { redirect: 'manual' }))
      return browser.get(locationOf(await browser.fetch(back.href)).href)
    }
    const browser = new Browser(service)
    await toProvider(browser)
    await browser.submit('/Account/ExternalLoginRegister', { email: 'cat@example.com', ReturnUrl: '/after' })
    assert.ok(deviceLine(browser))
    await lockOut('cat@example.com')
    assert.equal(locationOf(await toProvider(new Browser(service))).searchParams.get('error'), 'account_locked')
    assert.equal(locationOf(await toProvider(holding(deviceOf(browser)))).pathname, '/after')
  })
})

describe('the owner on a known browser, while strangers keep the account locked', () => {
  it('signs in, and the session, a code and its refresh tokens work', async () => {
    const browser = await knownBrowser('alice')
    await lockOut()
    service.advance(10)
    const code = await obtainCode(browser)
    const issued = await postToken(service, codeFields(code))
    assert.equal(issued.status, 200)
    const refreshed = await postToken(service, refreshFields(issued.body.refresh_token))
    assert.equal(refreshed.status, 200)
    assert.equal(await attempt(new Browser(service)), 'invalid_credentials', 'strangers stay out')
    service.advance(301)
    await lockOut()
    const later = await postToken(service, refreshFields(refreshed.body.refresh_token))
    assert.equal(later.status, 200, 'the next lockout of the same attack')
    assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: { name: 'alice' } })
  })

  it('finds what is older than the attack refused and not consumed: it works again when the lockout ends (contract 4)', async () => {
    const browser = new Browser(service)
    const before = await postToken(service, codeFields(await obtainCode(browser)))
    const unredeemed = await obtainCode(browser)
    service.advance(1)
    await lockOut()
    assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: null })
    for (const fields of [refreshFields(before.body.refresh_token), codeFields(unredeemed)]) {
      const refused = await postToken(service, fields)
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    }
    const { id } = await userOf()
    await service.storage.users.update(id, (user) => ({ ...user, lockedUntilMs: service.now() }))
    assert.equal((await postToken(service, refreshFields(before.body.refresh_token))).status, 200)
    assert.equal((await postToken(service, codeFields(unredeemed))).status, 200)
    assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: { name: 'alice' } })
  })

  it('has five failures of its own, and a success gives them back', async () => {
    const browser = await knownBrowser('alice')
    await lockOut()
    for (let failure = 0; failure < 4; failure += 1) await attempt(browser, 'typo')
    assert.equal(await attempt(browser), 'signed in')
    for (let failure = 0; failure < 5; failure += 1) await attempt(browser, 'typo')
    assert.equal(await attempt(browser), 'invalid_credentials')
  })

  it('keeps what strangers have used up of theirs, also between two lockouts', async () => {
    const browser = await knownBrowser('alice')
    await lockOut()
    service.advance(301)
    for (let guess = 0; guess < 4; guess += 1) await attempt(new Browser(service), 'wrong')
    assert.equal(await attempt(browser), 'signed in')
    await attempt(new Browser(service), 'wrong')
    assert.ok(((await userOf()).lockedUntilMs ?? 0) > service.now())
  })
})

describe('what does not make a browser known', () => {
  it('a cookie that was forged, cut, moved to another user or signed for another use', async () => {
    const cookie = deviceOf(await knownBrowser('bob', 'alice'))
    const [secret = '', entries = '', signature = ''] = cookie.split('.')
    const [hers = '', his = ''] = entries.split('_')
    const [browserId] = his.split(':')
    const [, aliceId, issuedAt] = hers.split(':')
    await lockOut()
    for (const forged of [
      '',
      'x',
      `${secret}.${entries}`,
      `${secret}.${hers}.${signature}`,
      `${secret}.${browserId}:${aliceId}:${issuedAt}.${signature}`,
      `${secret}.${entries}.${Buffer.alloc(32).toString('base64url')}`,
      `${secret}x.${entries}.${signature}`,
      `${'_'.repeat(5000)}.${cookie}`,
    ]) {
      assert.equal(await attempt(holding(forged)), 'invalid_credentials', forged.slice(0, 40))
    }
    assert.equal(await attempt(holding(cookie)), 'signed in')
  })

  it("another user's browser", async () => {
    const browser = await knownBrowser('bob')
    await lockOut()
    assert.equal(await attempt(browser), 'invalid_credentials')
    assert.equal(await attempt(browser, password, 'bob'), 'signed in')
  })

  for (const [what, end] of [
    ['forgotten by an operator', (id: string) => service.storage.users.forgetBrowsers(id)],
    [
      'from before a new password',
      (id: string) => service.storage.users.update(id, (user) => ({ ...user, sessionsEndedAtMs: service.now() })),
    ],
  ] as const) {
    it(`a browser ${what}, with the very same cookie`, async () => {
      const browser = await knownBrowser('alice')
      await end((await userOf()).id)
      await lockOut()
      assert.equal(await attempt(browser), 'invalid_credentials')
    })
  }

  it('a cookie older than 180 days', async () => {
    const cookie = deviceOf(await knownBrowser('alice'))
    service.advance(180 * 86_400)
    await lockOut()
    assert.equal(await attempt(holding(cookie)), 'invalid_credentials')
  })

  it('and a stolen cookie gives five guesses for each lockout, which the owner is not locked out by', async () => {
    const owner = await knownBrowser('alice')
    const stolen = deviceOf(await knownBrowser('alice'))
    await lockOut()
    const before = judged()
    await Promise.all(Array.from({ length: 20 }, () => attempt(holding(stolen), 'guess')))
    assert.equal(judged() - before, 5)
    assert.equal(await attempt(holding(stolen)), 'invalid_credentials', 'its budget is spent')
    assert.equal(await attempt(owner), 'signed in')
  })
})

describe('against an operator no browser helps', () => {
  for (const [what, lock] of [
    ['without an end', { disabled: true, lockedUntilMs: null }],
    ['with an end', { disabled: false, lockedUntilMs: Number.MAX_SAFE_INTEGER }],
  ] as const) {
    it(`who locked the account ${what}`, async () => {
      const browser = await knownBrowser('alice')
      const { id } = await userOf()
      await service.storage.users.update(id, (user) => ({ ...user, ...lock, lockoutBeganAtMs: null }))
      assert.equal(await attempt(browser), 'invalid_credentials')
    })
  }
})

describe('what a stranger can tell', () => {
  it('nothing from status, headers, cookies or body: known, unknown and locked users answer alike', async () => {
    await lockOut('bob')
    const shapes = []
    for (const username of ['alice', 'nobody', 'bob']) {
      const response = await new Browser(service).signIn({ username, password: 'wrong' })
      const headers = [...response.headers].filter(([name]) => !['date', 'x-trace-id'].includes(name))
      shapes.push(JSON.stringify([response.status, headers, await response.text()]).replaceAll(username, 'NAME'))
    }
    assert.deepEqual(new Set(shapes).size, 1, shapes.join('\n'))
  })
})
