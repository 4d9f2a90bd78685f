import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maySignIn } from '../../src/users/eligibility.ts'
import { decideExternalSignIn } from '../../src/users/external-identity.ts'
import { type KnownBrowser, knownBrowserLifetimeMs, rememberBrowser } from '../../src/users/known-browser.ts'
import type { Candidate } from '../../src/users/lockout.ts'
import { isSessionAlive } from '../../src/users/session.ts'
import { decidePasswordSignIn } from '../../src/users/sign-in.ts'
import type { User } from '../../src/users/user.ts'
import { now, sampleSession, sampleUser } from '../protocol/samples.ts'

const rules = { maxFailedAttempts: 5, lockoutMs: 300_000, requireConfirmedEmail: false }
const dayMs = 86_400_000

/** The first lockout of an attack, half over. */
const locked = { lockoutBeganAtMs: now - 150_000, lockedUntilMs: now + 150_000 }
/** The same attack between two lockouts. */
const between = { lockoutBeganAtMs: now - 400_000, lockedUntilMs: now - 100_000 }
const byOperator = { lockoutBeganAtMs: null, lockedUntilMs: now + 150_000 }

function aKnownBrowser(change: Partial<KnownBrowser> = {}): KnownBrowser {
  return {
    id: 'known',
    userId: sampleUser().id,
    createdAtMs: now - 2 * dayMs,
    lastUsedAtMs: now - 1000,
    expiresAtMs: now + dayMs,
    failedAttempts: 0,
    lockedUntilMs: null,
    userAgent: '',
    secondFactorUntilMs: null,
    ...change,
  }
}

function decide(candidate: Candidate, matches: boolean) {
  const attempt = { passwordMatches: matches, checkedHash: sampleUser().passwordHash, newHash: null }
  return decidePasswordSignIn(candidate, attempt, { session: sampleSession(), newBrowserId: 'new' }, rules, now)
}
const attempt = (user: Partial<User>, browser: Partial<KnownBrowser> | undefined, matches: boolean) =>
  decide({ user: sampleUser(user), ...(browser && { browser: aKnownBrowser(browser) }) }, matches)

describe('strangers and known browsers while an account is attacked', () => {
  it('lets a known browser in with the right password, and leaves the lockout of the strangers as it is', () => {
    const decided = attempt({ ...locked, failedAttempts: 3 }, { failedAttempts: 2 }, true)
    assert.ok(decided.outcome === 'signed_in')
    assert.equal(decided.user, undefined)
    assert.equal(decided.browser.id, 'known')
    assert.equal(decided.browser.failedAttempts, 0)
    assert.deepEqual(attempt(locked, undefined, true), { outcome: 'locked' })
  })

  it('counts a wrong password from a known browser against that browser alone while strangers are locked out', () => {
    const decided = attempt(locked, {}, false)
    assert.ok(decided.outcome === 'wrong_password')
    assert.deepEqual(decided.browser, aKnownBrowser({ failedAttempts: 1 }))
    assert.deepEqual(decided.user, sampleUser({ ...locked, updatedAtMs: now }))
  })

  it('takes a browser whose own budget is spent for a stranger, until its own lockout ends', () => {
    const last = attempt(locked, { failedAttempts: 4 }, false)
    assert.ok(last.outcome === 'wrong_password')
    assert.deepEqual(last.browser, aKnownBrowser({ failedAttempts: 0, lockedUntilMs: now + 300_000 }))
    assert.deepEqual(attempt(locked, { lockedUntilMs: now + 1 }, true), { outcome: 'locked' })
    assert.equal(attempt(locked, { lockedUntilMs: now }, true).outcome, 'signed_in')
    const asStranger = attempt(between, { lockedUntilMs: now + 1 }, false)
    assert.ok(asStranger.outcome === 'wrong_password')
    assert.equal(asStranger.browser, undefined)
    assert.equal(asStranger.user.failedAttempts, 1)
  })

  it('gives strangers no new guesses when the owner signs in on a known browser between two lockouts', () => {
    const decided = attempt({ ...between, failedAttempts: 4 }, {}, true)
    assert.ok(decided.outcome === 'signed_in')
    assert.equal(decided.user, undefined)
  })

  for (const [when, browser] of [
    ['a stranger', undefined],
    ['a known browser, a day after the last lockout', {}],
  ] as const) {
    it(`resets the count after a success of ${when} (contract 3)`, () => {
      const quiet = { lockoutBeganAtMs: now - 2 * dayMs, lockedUntilMs: now - dayMs }
      const decided = attempt({ ...(browser ? quiet : between), failedAttempts: 4 }, browser, true)
      assert.ok(decided.outcome === 'signed_in')
      assert.equal(decided.user?.failedAttempts, 0)
      assert.equal(decided.user?.lockoutBeganAtMs, null)
    })
  }

  it('counts against user and browser alike when nobody is locked out, so that the limit is the same as without one', () => {
    const decided = attempt({ failedAttempts: 4 }, { failedAttempts: 4 }, false)
    assert.ok(decided.outcome === 'wrong_password')
    assert.equal(decided.user.lockedUntilMs, now + 300_000)
    assert.equal(decided.browser?.lockedUntilMs, now + 300_000)
  })

  it('remembers the beginning of an attack over its lockouts, and a new one after a day of quiet', () => {
    const beganAt = (user: Partial<User>) => {
      const decided = attempt({ ...user, failedAttempts: 4 }, undefined, false)
      return decided.outcome === 'wrong_password' && decided.user.lockoutBeganAtMs
    }
    assert.equal(beganAt({}), now)
    assert.equal(beganAt(between), between.lockoutBeganAtMs)
    assert.equal(beganAt({ ...between, lockedUntilMs: now - dayMs + 1 }), between.lockoutBeganAtMs)
    assert.equal(beganAt({ ...between, lockedUntilMs: now - dayMs }), now)
    assert.equal(beganAt({ ...between, lockedUntilMs: null }), now)
  })

  it('lets no browser past a lock that an operator set', () => {
    for (const user of [byOperator, { disabled: true }, { ...locked, disabled: true }]) {
      assert.deepEqual(attempt(user, {}, true), { outcome: 'locked' })
      assert.deepEqual(attempt(user, {}, false), { outcome: 'locked' })
    }
  })

  for (const [which, browser, user] of [
    ['of another user', { userId: 'another' }, {}],
    ['that expired', { expiresAtMs: now }, {}],
    ['from before a new password', {}, { sessionsEndedAtMs: aKnownBrowser().createdAtMs }],
  ] as const) {
    it(`takes a browser ${which} for a stranger`, () => {
      assert.deepEqual(attempt({ ...locked, ...user }, browser, true), { outcome: 'locked' })
      const signedIn = attempt(user, browser, true)
      assert.equal(signedIn.outcome === 'signed_in' && signedIn.browser.id, 'new')
    })
  }

  it('lets a known browser in through a provider too, and no stranger (specification 4.7)', () => {
    const entry = { session: sampleSession(), newBrowserId: 'new' }
    const external = (candidate: Candidate) => decideExternalSignIn(candidate, entry, rules, now)
    const user = sampleUser(locked)
    assert.equal(external({ user, browser: aKnownBrowser() }).outcome, 'signed_in')
    assert.deepEqual(external({ user }), { outcome: 'refused', error: 'account_locked' })
    const spent = aKnownBrowser({ lockedUntilMs: now + 1 })
    assert.deepEqual(external({ user, browser: spent }), { outcome: 'refused', error: 'account_locked' })
    const unconfirmed = sampleUser({ ...locked, emailConfirmed: false })
    const strict = { ...rules, requireConfirmedEmail: true }
    const decided = decideExternalSignIn({ user: unconfirmed, browser: aKnownBrowser() }, entry, strict, now)
    assert.deepEqual(decided, { outcome: 'refused', error: 'account_not_allowed' })
  })
})

describe('sessions and tokens during a lockout after failed passwords', () => {
  const began = locked.lockoutBeganAtMs
  const allowed = (user: Partial<User>, authenticatedAtMs: number) =>
    maySignIn(sampleUser(user), rules, authenticatedAtMs, now)

  it('are refused when they are older than the attack, or as old, and stand when they are younger (contract 4)', () => {
    assert.equal(allowed(locked, began - 1), false)
    assert.equal(allowed(locked, began), false)
    assert.equal(allowed(locked, began + 1), true)
    const session = sampleSession({ authenticatedAtMs: began + 1 })
    assert.equal(isSessionAlive({ session, user: sampleUser(locked) }, rules, now), true)
  })

  it('never stand against an operator, however young', () => {
    assert.equal(allowed(byOperator, now), false)
    assert.equal(allowed({ ...locked, disabled: true }, now), false)
  })

  it('are younger than the attack also when the clock of this machine is behind', () => {
    const user = sampleUser({ lockoutBeganAtMs: now + 2000, lockedUntilMs: now + 302_000 })
    const decided = decide({ user, browser: aKnownBrowser() }, true)
    assert.ok(decided.outcome === 'signed_in')
    assert.equal(decided.session.authenticatedAtMs, now + 2001)
  })
})

describe('Accounts:Lockout:KeepsSessions', () => {
  const keeping = { ...rules, lockoutKeepsSessions: true }
  const entry = { session: sampleSession(), newBrowserId: 'new' }
  const old = locked.lockoutBeganAtMs - dayMs

  it('lets sessions and tokens go on during a lockout after failed passwords, however old they are', () => {
    const user = sampleUser(locked)
    assert.equal(maySignIn(user, keeping, old, now), true)
    assert.equal(maySignIn(user, rules, old, now), false)
    assert.equal(isSessionAlive({ session: sampleSession({ authenticatedAtMs: old }), user }, keeping, now), true)
  })

  it('lets strangers in through a provider, and none with a password', () => {
    const user = sampleUser(locked)
    assert.equal(decideExternalSignIn({ user }, entry, keeping, now).outcome, 'signed_in')
    const attempt = { passwordMatches: true, checkedHash: user.passwordHash, newHash: null }
    assert.deepEqual(decidePasswordSignIn({ user }, attempt, entry, keeping, now), { outcome: 'locked' })
  })

  it('changes nothing about the lock of an operator, nor about addresses that must be confirmed', () => {
    for (const user of [byOperator, { disabled: true }, { ...locked, disabled: true }]) {
      assert.equal(maySignIn(sampleUser(user), keeping, now, now), false)
      assert.equal(decideExternalSignIn({ user: sampleUser(user) }, entry, keeping, now).outcome, 'refused')
    }
    const unconfirmed = sampleUser({ ...locked, emailConfirmed: false })
    assert.equal(maySignIn(unconfirmed, { ...keeping, requireConfirmedEmail: true }, old, now), false)
  })
})

describe('remembering a browser', () => {
  const remember = (browser: KnownBrowser | undefined) => rememberBrowser(browser, sampleUser(), 'new', now, '')

  it('makes a new one known for 180 days', () => {
    const expected = aKnownBrowser({
      id: 'new',
      createdAtMs: now,
      lastUsedAtMs: now,
      expiresAtMs: now + knownBrowserLifetimeMs,
    })
    assert.deepEqual(remember(undefined), expected)
  })

  it('writes one that is used all the time once a day, and at once when it has failures', () => {
    const recent = aKnownBrowser({ lastUsedAtMs: now - dayMs + 1 })
    assert.equal(remember(recent), recent)
    const older = aKnownBrowser({ lastUsedAtMs: now - dayMs })
    assert.deepEqual(remember(older), { ...older, lastUsedAtMs: now, expiresAtMs: now + knownBrowserLifetimeMs })
    assert.equal(remember({ ...recent, failedAttempts: 1 }).failedAttempts, 0)
    assert.equal(remember({ ...recent, lockedUntilMs: now - 1 }).lockedUntilMs, null)
  })
})
