/** Second factors through the real door: setting them up, signing in with them, and every way around them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { withPassword } from '../../src/users/changes.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  locationOf,
  pkcePair,
  postToken,
} from '../support/browser.ts'
import { addUser, password, passwordHash, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })
await addUser(service, 'bob')

const userOf = async (name = 'alice') => {
  const user = await service.storage.users.findByName(name)
  assert.ok(user)
  return user
}
beforeEach(async () => {
  // A new window of time, so that each test has codes of its own, and nothing of the last one counts.
  service.advance(3600)
  for (const name of ['alice', 'bob']) {
    const { id } = await userOf(name)
    await service.storage.users.forgetBrowsers(id)
    const clean = { failedAttempts: 0, lockedUntilMs: null, lockoutBeganAtMs: null, disabled: false }
    await service.storage.users.update(id, (user) => ({
      ...user,
      ...clean,
      emailConfirmed: true,
      passwordHash,
    }))
    await service.storage.secondFactors.change(id, ({ factors }) => ({
      factors: {
        userId: id,
        totp: null,
        pendingTotp: null,
        recoveryHashes: [],
        recoverySinceMs: null,
        mailCode: null,
        isMailBarred: false,
        failedAttempts: 0,
        pausedUntilMs: null,
        wrongCodes: null,
        version: factors?.version ?? 0,
      },
    }))
  }
})

const codeOf = (secret: string, offsetSeconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: service.now() + offsetSeconds * 1000 })

/** A browser in which the person signed in with the password, and set up an authenticator app. */
async function enrolled(name = 'alice') {
  const browser = await Browser.signedIn(service, { username: name })
  const { secret } = (await browser.self('POST', '/totp')).body
  const confirmed = await browser.self('POST', '/totp/confirm', { code: codeOf(secret) })
  assert.equal(confirmed.status, 200)
  const { codes } = (await browser.self('POST', '/recovery-codes')).body
  service.advance(60)
  return { browser, secret: secret as string, codes: codes as string[] }
}

async function halfWay(fields: Readonly<Record<string, string>> = {}, browser = new Browser(service)) {
  const response = await browser.signIn({ ReturnUrl: '/Account?x=1', ...fields })
  assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
  return browser
}

describe('the return address of a half-finished sign-in', () => {
  it('comes through with a state of 8000 characters, as some clients send', async () => {
    const { secret } = await enrolled()
    const returnUrl = `/Account?state=${randomBytes(6000).toString('base64url')}`
    const browser = await halfWay({ ReturnUrl: returnUrl })
    assert.equal(outcomeOf(await prove(browser, { code: codeOf(secret) })), returnUrl)
  })
})
const prove = (browser: Browser, fields: Readonly<Record<string, string>>) =>
  browser.submit('/Account/SecondFactor', { method: 'totp', ...fields })
const outcomeOf = (response: Response) => {
  const { pathname, search, searchParams } = locationOf(response)
  return searchParams.get('error') ?? `${pathname}${search}`
}
const nameIn = async (browser: Browser) => (await browser.userName()) ?? null

describe('signing in with an authenticator app', () => {
  it('asks between the password and the session, and leads on to where the person was going', async () => {
    const { secret } = await enrolled()
    const browser = await halfWay({ rememberMe: 'true' })
    const context = await (await browser.get('/Account/SecondFactorContext')).json()
    const expected = {
      step: 'second_factor',
      methods: ['totp', 'recovery'],
      user: { name: 'alice' },
      returnUrl: '/Account?x=1',
    }
    assert.deepEqual(context, expected)
    assert.equal(await nameIn(browser), null)
    assert.equal(outcomeOf(await prove(browser, { code: '000000' })), 'code_invalid')
    assert.equal(outcomeOf(await prove(browser, { code: ` ${codeOf(secret)} ` })), '/Account?x=1')
    assert.equal(await nameIn(browser), 'alice')
    assert.ok(!browser.cookies.has('latchkey.half'))
  })

  it('names both factors in the id token, and the class mfa', async () => {
    const { secret } = await enrolled()
    const browser = await halfWay()
    await prove(browser, { code: codeOf(secret) })
    const { claims } = await tokens(browser, { acr_values: 'mfa' })
    assert.deepEqual([claims.amr, claims.acr], [['pwd', 'otp', 'mfa'], 'mfa'])
  })

  it('takes the codes of one step before and after, each once, and never an earlier one', async () => {
    const { secret } = await enrolled()
    const late = codeOf(secret, 30)
    const [present, early] = [codeOf(secret), codeOf(secret, -30)]
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret, 60) })), 'code_invalid')
    assert.equal(outcomeOf(await prove(await halfWay(), { code: early })), '/Account?x=1')
    assert.equal(outcomeOf(await prove(await halfWay(), { code: early })), 'code_invalid')
    assert.equal(outcomeOf(await prove(await halfWay(), { code: late })), '/Account?x=1')
    assert.equal(outcomeOf(await prove(await halfWay(), { code: present })), 'code_invalid')
  })

  it('takes one of ten identical codes that arrive at once', async () => {
    const { secret } = await enrolled()
    const browsers = await Promise.all(Array.from({ length: 10 }, () => halfWay()))
    const code = codeOf(secret)
    const outcomes = (await Promise.all(browsers.map((each) => prove(each, { code })))).map(outcomeOf)
    assert.equal(outcomes.filter((outcome) => outcome === '/Account?x=1').length, 1)
  })

  it('checks fifty wrong codes of strangers a day, and neither the owner nor recovery codes wait for the next', async () => {
    const { browser: known, secret, codes } = await enrolled()
    for (let round = 0; round < 10; round += 1) {
      const guesser = await halfWay()
      for (let guess = 0; guess < 5; guess += 1) {
        assert.equal(outcomeOf(await prove(guesser, { code: '000000' })), 'code_invalid', `${round}`)
      }
      service.advance(301)
    }
    const stranger = await halfWay()
    const refused = locationOf(await prove(stranger, { code: codeOf(secret) }))
    assert.equal(`${refused.search}`, '?error=too_many_attempts&method=totp&wait=day')
    // The browser of the owner has a day of its own, and what cannot be guessed is checked everywhere.
    known.cookies.delete('latchkey.session')
    assert.equal(outcomeOf(await prove(await halfWay({}, known), { code: codeOf(secret) })), '/Account?x=1')
    const recovered = await prove(stranger, { method: 'recovery', code: codes[0] ?? '' })
    assert.equal(outcomeOf(recovered), '/Account?x=1')
    // A right code does not begin a new day. A day does, and so does a new password.
    const again = await prove(await halfWay(), { code: codeOf(secret) })
    assert.equal(outcomeOf(again), 'too_many_attempts')
    service.advance(86_400)
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret) })), '/Account?x=1')
    const spent = { sinceMs: service.now(), strangers: 50, browsers: {} }
    const user = await service.storage.users.findByName('alice')
    assert.ok(user)
    await service.storage.secondFactors.change(user.id, ({ factors }) =>
      factors === undefined ? {} : { factors: { ...factors, wrongCodes: spent } },
    )
    service.advance(60)
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret) })), 'too_many_attempts')
    await service.storage.users.update(user.id, (stored) =>
      withPassword(stored, stored.passwordHash ?? '', service.now()),
    )
    service.advance(60)
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret) })), '/Account?x=1')
  })

  it('pauses after five wrong codes in all browsers together, however many arrive at once, and leaves the password alone', async () => {
    const { secret } = await enrolled()
    const browsers = await Promise.all(Array.from({ length: 20 }, () => halfWay()))
    const outcomes = (await Promise.all(browsers.map((each) => prove(each, { code: '000000' })))).map(outcomeOf)
    assert.equal(outcomes.filter((outcome) => outcome === 'code_invalid').length, 5)
    assert.equal(outcomes.filter((outcome) => outcome === 'too_many_attempts').length, 15)
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret) })), 'too_many_attempts')
    assert.equal((await userOf()).failedAttempts, 0)
    service.advance(300)
    assert.equal(outcomeOf(await prove(await halfWay(), { code: codeOf(secret) })), '/Account?x=1')
  })

  it('takes each recovery code once, in any spelling, and one of ten at once', async () => {
    const { codes } = await enrolled()
    const [first = '', second = ''] = codes
    assert.equal(new Set(codes).size, 10)
    const recover = async (code: string) => outcomeOf(await prove(await halfWay(), { method: 'recovery', code }))
    assert.equal(await recover(first.toLowerCase().replaceAll('-', ' ')), '/Account?x=1')
    assert.equal(await recover(first), 'code_invalid')
    const browsers = await Promise.all(Array.from({ length: 5 }, () => halfWay()))
    const at = await Promise.all(browsers.map((each) => prove(each, { method: 'recovery', code: second })))
    assert.equal(at.filter((response) => outcomeOf(response) === '/Account?x=1').length, 1)
    const { id } = await userOf()
    assert.equal((await service.storage.secondFactors.find(id))?.recoveryHashes.length, 8)
    const used = await service.storage.audit.list({ userId: id }, undefined, 1000)
    assert.ok(used.some(({ details }) => details.change === 'recovery_code_used' && details.left === 8))
  })

  it('remembers a browser for thirty days for this person alone, until the password changes', async () => {
    const alice = await enrolled()
    await enrolled('bob')
    const browser = await halfWay()
    await prove(browser, { code: codeOf(alice.secret), rememberBrowser: 'true' })
    browser.cookies.delete('latchkey.session')
    assert.equal(outcomeOf(await browser.signIn({ ReturnUrl: '/' })), '/')
    browser.cookies.delete('latchkey.session')
    // The cookie of the device does not speak for another person.
    await halfWay({ username: 'bob' }, browser)
    service.advance(31 * 86_400)
    await halfWay({}, browser)
    service.advance(30)
    await prove(browser, { code: codeOf(alice.secret), rememberBrowser: 'true' })
    browser.cookies.delete('latchkey.session')
    const { id } = await userOf()
    await service.storage.users.update(id, (user) => withPassword(user, passwordHash, service.now()))
    await halfWay({}, browser)
  })
})

describe('a session whose password is changed', () => {
  it('keeps the time and the methods of its sign-in: no factor was proved again', async () => {
    const { secret } = await enrolled()
    const browser = await halfWay()
    await prove(browser, { code: codeOf(secret) })
    const before = (await tokens(browser, { acr_values: 'mfa' })).claims
    service.advance(300)
    const fresh = 'kT7-vw2q-new'
    const changed = await browser.self('POST', '/password', { current: password, password: fresh })
    assert.equal(changed.status, 204)
    const { claims } = await tokens(browser, { acr_values: 'mfa' })
    const told = ({ auth_time, amr, acr }: typeof claims) => ({ auth_time, amr, acr })
    assert.deepEqual(told(claims), told(before))
    // `max_age` asks for the sign-in, not for the change.
    const aged = locationOf(await browser.get(authorizePath({ scope: 'openid', max_age: '299' })))
    assert.equal(aged.pathname, '/Account/Login')
  })
})

describe('a half-finished sign-in', () => {
  it('gives access to nothing', async () => {
    await enrolled()
    const browser = await halfWay()
    for (const [method, path] of [
      ['POST', '/totp'],
      ['POST', '/totp/confirm'],
      ['DELETE', '/totp'],
      ['POST', '/recovery-codes'],
      ['GET', ''],
      ['GET', '/sessions'],
    ] as const) {
      assert.equal(
        (await browser.self(method, path, method === 'POST' ? {} : undefined)).status,
        401,
        `${method} ${path}`,
      )
    }
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
    assert.equal(
      locationOf(await browser.get(authorizePath({ prompt: 'none' }))).searchParams.get('error'),
      'login_required',
    )
    browser.cookies.set('latchkey.session', browser.cookies.get('latchkey.half') ?? '')
    assert.equal(await nameIn(browser), null)
  })

  it('counts in its own browser alone, for ten minutes, and becomes one session', async () => {
    const { secret } = await enrolled()
    const browser = await halfWay()
    const thief = new Browser(service)
    await thief.antiforgeryToken()
    thief.cookies.set('latchkey.half', browser.cookies.get('latchkey.half') ?? '')
    assert.equal(outcomeOf(await prove(thief, { code: codeOf(secret) })), 'sign_in_expired')
    const cookie = browser.cookies.get('latchkey.half') ?? ''
    assert.equal(outcomeOf(await prove(browser, { code: codeOf(secret) })), '/Account?x=1')
    browser.cookies.set('latchkey.half', cookie)
    browser.cookies.delete('latchkey.session')
    service.advance(60)
    assert.equal(outcomeOf(await prove(browser, { code: codeOf(secret) })), 'sign_in_expired')
    const slow = await halfWay()
    service.advance(600)
    const expired = await prove(slow, { code: codeOf(secret) })
    assert.deepEqual(
      [outcomeOf(expired), locationOf(expired).searchParams.get('ReturnUrl')],
      ['sign_in_expired', '/Account?x=1'],
    )
  })

  it('is refused without the anti-forgery token, with a method that is none, and with every field missing', async () => {
    const { secret } = await enrolled()
    const browser = await halfWay()
    assert.equal((await browser.post('/Account/SecondFactor', { method: 'totp', code: codeOf(secret) })).status, 400)
    for (const fields of [
      {},
      { method: 'kba', code: '1' },
      { method: 'passkey', credential: '{}' },
      { method: 'email' },
    ]) {
      assert.equal(
        outcomeOf(await browser.submit('/Account/SecondFactor', fields as Record<string, string>)),
        'code_invalid',
      )
    }
    const twice = [...['0', codeOf(secret)].map((code) => ['code', code] as const), ['method', 'totp'] as const]
    assert.equal((await browser.submit('/Account/SecondFactor', twice)).status, 400)
    const long = { code: '1'.repeat(50_000), method: 'recovery', ReturnUrl: 'https://evil.example/' }
    assert.equal(outcomeOf(await browser.submit('/Account/SecondFactor', long)), 'code_invalid')
    assert.equal(outcomeOf(await prove(browser, { code: codeOf(secret) })), '/Account?x=1')
  })

  it('ends with a lock, a lockout, a new password and an account that is gone', async () => {
    const { secret } = await enrolled()
    const { id } = await userOf()
    const { lock, unlock, withPassword } = await import('../../src/users/changes.ts')
    const { users } = service.storage
    const late = async (change: () => Promise<unknown>) => {
      const browser = await halfWay()
      service.advance(1)
      await change()
      return outcomeOf(await prove(browser, { code: codeOf(secret) }))
    }
    const locked = (user: Awaited<ReturnType<typeof userOf>>) => {
      const judged = lock(user, null, service.now())
      assert.ok('id' in judged)
      return judged
    }
    assert.equal(await late(() => users.update(id, locked)), 'sign_in_expired')
    await users.update(id, (user) => unlock(user, service.now()))
    service.advance(1)
    assert.equal(
      await late(() => users.update(id, (user) => withPassword(user, passwordHash, service.now()))),
      'sign_in_expired',
    )
    service.advance(1)
    const lockedOut = async () => {
      for (let guess = 0; guess < 5; guess += 1) await new Browser(service).signIn({ password: 'wrong' })
    }
    assert.equal(await late(lockedOut), 'sign_in_expired')
    await users.update(id, (user) => unlock(user, service.now()))
    await addUser(service, 'carol')
    const carol = await enrolled('carol')
    const gone = await halfWay({ username: 'carol' })
    await users.delete((await userOf('carol')).id)
    assert.equal(outcomeOf(await prove(gone, { code: codeOf(carol.secret) })), 'sign_in_expired')
  })

  it('never starts for a return address that leads elsewhere', async () => {
    await enrolled()
    const browser = new Browser(service)
    const response = await browser.signIn({ ReturnUrl: 'https://evil.example/' })
    assert.deepEqual([response.status, browser.cookies.has('latchkey.half')], [500, false])
  })
})

describe('looking after second factors', () => {
  it('counts a new app once a code of it was entered, within fifteen minutes', async () => {
    const browser = await Browser.signedIn(service)
    const { status, body } = await browser.self('POST', '/totp')
    assert.equal(status, 200)
    assert.match(body.secret, /^[A-Z2-7]{32}$/)
    const uri = new URL(body.uri)
    assert.deepEqual(
      [uri.protocol, uri.host, decodeURIComponent(uri.pathname)],
      ['otpauth:', 'totp', '/Latchkey:alice'],
    )
    assert.equal(uri.searchParams.get('secret'), body.secret)
    const wrong = await browser.self('POST', '/totp/confirm', { code: '000000' })
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'code_invalid'])
    assert.equal(outcomeOf(await new Browser(service).signIn({ ReturnUrl: '/' })), '/')
    const replaced = (await browser.self('POST', '/totp')).body
    assert.equal((await browser.self('POST', '/totp/confirm', { code: codeOf(body.secret) })).status, 400)
    const confirmed = await browser.self('POST', '/totp/confirm', { code: codeOf(replaced.secret) })
    assert.deepEqual([confirmed.status, confirmed.body.recovery_codes], [200, 0])
    const shown = (await browser.self('GET', '')).body
    assert.equal(typeof shown.sign_in.totp.created_at, 'string')
    assert.equal(shown.sign_in.recovery_codes, 0)
    await halfWay()
    assert.equal((await browser.self('DELETE', '/totp')).status, 204)
    assert.equal(outcomeOf(await new Browser(service).signIn({ ReturnUrl: '/' })), '/')
  })

  it('needs a sign-in of the last ten minutes, and the anti-forgery header', async () => {
    const { browser } = await enrolled()
    const forged = await browser.fetch('/Account/Self/totp', { method: 'DELETE' })
    assert.equal(forged.status, 400)
    service.advance(601)
    for (const [method, path] of [
      ['POST', '/totp'],
      ['DELETE', '/totp'],
      ['POST', '/recovery-codes'],
    ] as const) {
      const { status, body } = await browser.self(method, path)
      assert.deepEqual([status, body.error], [403, 'reauthentication_required'])
    }
  })

  it('makes no recovery codes for whoever has nothing that they stand in for', async () => {
    const browser = await Browser.signedIn(service)
    const { status, body } = await browser.self('POST', '/recovery-codes')
    assert.deepEqual([status, body.error], [409, 'second_factor_missing'])
  })

  it('stores neither secrets nor codes as they are', async () => {
    const { secret, codes } = await enrolled()
    const { id } = await userOf()
    const stored = JSON.stringify(await service.storage.secondFactors.find(id))
    assert.ok(!stored.includes(secret))
    for (const code of codes) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')))
    const traces = JSON.stringify([service.log, await service.storage.audit.list({ userId: id }, undefined, 1000)])
    assert.ok(!traces.includes(secret) && !codes.some((code) => traces.includes(code)))
  })
})

describe('requests for an authentication class', () => {
  it('step up the signed-in person without the password, keep the time of the sign-in, and replace the session', async () => {
    const { browser, secret } = await enrolled()
    const before = browser.cookies.get('latchkey.session')
    const asked = await browser.get(authorizePath({ acr_values: 'mfa' }))
    assert.equal(locationOf(asked).pathname, '/Account/SecondFactor')
    const proved = await prove(browser, { code: codeOf(secret) })
    assert.equal(locationOf(proved).pathname, '/connect/authorize')
    assert.notEqual(browser.cookies.get('latchkey.session'), before)
    const { claims, access } = await tokens(browser, { acr_values: 'phr mfa 1' })
    assert.deepEqual([claims.acr, access.acr, claims.amr], ['mfa', 'mfa', ['pwd', 'otp', 'mfa']])
    assert.ok(claims.auth_time <= Math.floor(service.now() / 1000) - 60)
    // More meets less, and the token names what was asked for.
    assert.equal((await tokens(browser, { acr_values: '1' })).claims.acr, '1')
    const thief = new Browser(service)
    thief.cookies.set('latchkey.session', before ?? '')
    assert.equal(await nameIn(thief), null)
  })

  it('are refused under prompt=none, and for whoever cannot reach the class', async () => {
    const essential = (...values: string[]) => ({
      claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
    })
    const { browser } = await enrolled()
    const error = async (at: Browser, change: Readonly<Record<string, string>>) => {
      const { pathname, searchParams } = locationOf(await at.get(authorizePath(change)))
      return searchParams.get('error') ?? pathname
    }
    assert.equal(await error(browser, { ...essential('mfa'), prompt: 'none' }), 'interaction_required')
    assert.equal(await error(browser, essential('mfa')), '/Account/SecondFactor')
    assert.equal(await error(browser, essential('phr')), 'unmet_authentication_requirements')
    const bob = await Browser.signedIn(service, { username: 'bob' })
    assert.equal(await error(bob, essential('mfa')), 'unmet_authentication_requirements')
    assert.equal(await error(bob, { acr_values: 'mfa' }), '/Account/Consent')
    assert.equal(await error(bob, essential('1')), '/Account/Consent')
    // The sign-in must be fresh before the second factor counts.
    service.advance(60)
    assert.equal(await error(browser, { ...essential('mfa'), max_age: '10' }), '/Account/Login')
    assert.equal(await error(browser, { acr_values: 'mfa', prompt: 'login' }), '/Account/Login')
  })

  it('cannot be lowered on the way: the class is checked when the code is issued', async () => {
    const { browser } = await enrolled()
    const essential = { claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['mfa'] } } }) }
    await browser.get(authorizePath(essential))
    // Skips the page, and accepts at once.
    const skipped = await browser.submit('/connect/authorize', [
      ...new URLSearchParams(authorizePath(essential).split('?')[1]).entries(),
      ['submit.Accept', 'Yes'],
    ])
    assert.equal(locationOf(skipped).pathname, '/Account/SecondFactor')
    // An edited request is another request, whose tokens say so.
    assert.equal((await tokens(browser, { acr_values: '1' })).claims.acr, '1')
  })

  it('are what an API sends its client to ask for (RFC 9470)', async () => {
    const { browser, secret } = await enrolled()
    const ask = async (token: string, path = 'weatherforecast/details') => {
      const response = await fetchWithToken(service, path, token)
      return [response.status, response.headers.get('www-authenticate') ?? ''] as const
    }
    const weak = (await tokens(browser, { acr_values: '1' })).accessToken
    const [status, challenge] = await ask(weak)
    assert.equal(status, 401)
    assert.match(challenge, /^Bearer error="insufficient_user_authentication", /)
    assert.match(challenge, /acr_values="mfa", max_age="600"$/)
    assert.equal((await ask(weak, 'weatherforecast'))[0], 200)
    await browser.get(authorizePath({ acr_values: 'mfa', max_age: '600' }))
    await prove(browser, { code: codeOf(secret) })
    const strong = (await tokens(browser, { acr_values: 'mfa', max_age: '600' })).accessToken
    assert.equal((await ask(strong))[0], 200)
    // A token without the claim is no proof, and neither is one of an old sign-in.
    assert.equal((await ask((await tokens(browser, {})).accessToken))[0], 401)
    service.advance(601)
    assert.equal((await ask(strong))[0], 401)
  })

  it('do not let one person finish what another began', async () => {
    const { browser, secret } = await enrolled()
    await browser.get(authorizePath({ acr_values: 'mfa' }))
    const half = browser.cookies.get('latchkey.half') ?? ''
    await browser.signIn({ username: 'bob' })
    browser.cookies.set('latchkey.half', half)
    const proved = await prove(browser, { code: codeOf(secret) })
    assert.equal(locationOf(proved).pathname, '/connect/authorize')
    assert.equal(await nameIn(browser), 'bob')
  })
})

/** The tokens of a request by the signed-in person. */
async function tokens(browser: Browser, change: Readonly<Record<string, string>>) {
  const { verifier, challenge } = pkcePair()
  const parameters = { ...change, code_challenge: challenge }
  const accepted = await browser.submit('/connect/authorize', [
    ...new URLSearchParams(authorizePath(parameters).split('?')[1]).entries(),
    ['submit.Accept', 'Yes'],
  ])
  const code = locationOf(accepted).searchParams.get('code') ?? ''
  const { body } = await postToken(service, codeFields(code, { code_verifier: verifier }))
  return {
    claims: claimsOf(body.id_token),
    access: claimsOf(body.access_token),
    accessToken: body.access_token as string,
  }
}
