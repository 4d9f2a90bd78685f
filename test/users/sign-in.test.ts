import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maySignIn } from '../../src/users/eligibility.ts'
import { isSessionAlive, slideSession } from '../../src/users/session.ts'
import { admit, decidePasswordSignIn } from '../../src/users/sign-in.ts'
import { endAtMs } from '../../src/users/user.ts'
import { now, sampleSession, sampleUser } from '../protocol/samples.ts'

const rules = { maxFailedAttempts: 5, lockoutMs: 300_000, requireConfirmedEmail: false }

describe('judging a password attempt (specification 5.1)', () => {
  const decide = (
    change: Parameters<typeof sampleUser>[0],
    matches: boolean,
    changedRules: Partial<typeof rules> = {},
  ) => {
    const user = sampleUser(change)
    const attempt = { passwordMatches: matches, checkedHash: sampleUser().passwordHash, newHash: null }
    return decidePasswordSignIn(
      { user },
      attempt,
      { session: sampleSession(), newBrowserId: 'new' },
      { ...rules, ...changedRules },
      now,
    )
  }

  it('counts a wrong password and locks at the limit [S2.5.6, S3.8]', () => {
    const first = decide({}, false)
    assert.ok(first.outcome === 'wrong_password')
    assert.equal(first.user.failedAttempts, 1)
    assert.equal(first.user.lockedUntilMs, null)
    const fifth = decide({ failedAttempts: 4 }, false)
    assert.ok(fifth.outcome === 'wrong_password')
    assert.equal(fifth.user.failedAttempts, 0)
    assert.equal(fifth.user.lockedUntilMs, now + 300_000)
  })

  it('judges nothing while locked: neither a wrong nor the right password changes anything', () => {
    for (const matches of [true, false]) {
      assert.deepEqual(decide({ lockedUntilMs: now + 1, failedAttempts: 3 }, matches), { outcome: 'locked' })
      assert.deepEqual(decide({ disabled: true }, matches), { outcome: 'locked' })
    }
  })

  it('lets the right password in again from the end of the lockout on', () => {
    assert.equal(decide({ lockedUntilMs: now }, true).outcome, 'signed_in')
  })

  it('writes no user when there is nothing to reset', () => {
    assert.equal('user' in decide({}, true), false)
    const reset = decide({ failedAttempts: 3 }, true)
    assert.ok(reset.outcome === 'signed_in')
    assert.equal(reset.user?.failedAttempts, 0)
  })

  it('takes a password that was changed while the old one was checked for a wrong one', () => {
    assert.equal(decide({ passwordHash: 'another' }, true).outcome, 'wrong_password')
  })

  it('asks for a confirmed e-mail only after the right password', () => {
    const strict = { requireConfirmedEmail: true }
    assert.equal(decide({ emailConfirmed: false }, false, strict).outcome, 'wrong_password')
    assert.equal(decide({ emailConfirmed: false }, true, strict).outcome, 'not_allowed')
    assert.equal(decide({ emailConfirmed: true }, true, strict).outcome, 'signed_in')
  })
})

describe('how many sessions a person has', () => {
  const endedBy = (sessions: number | undefined) => {
    const candidate = { user: sampleUser(), ...(sessions !== undefined && { sessions }) }
    return admit(candidate, { session: sampleSession(), newBrowserId: 'new' }, now).endedSessions
  }

  it('is 100 at most: a sign-in ends those that would be more', () => {
    for (const sessions of [undefined, 20, 99]) assert.equal(endedBy(sessions), undefined)
    assert.equal(endedBy(100), 1)
    assert.equal(endedBy(103), 4)
  })
})

describe('whether a session counts', () => {
  const alive = (session: Parameters<typeof sampleSession>[0], user: Parameters<typeof sampleUser>[0] = {}) =>
    isSessionAlive({ session: sampleSession(session), user: sampleUser(user) }, rules, now)

  it('counts until its expiry, and not from then on', () => {
    assert.ok(alive({ expiresAtMs: now + 1 }))
    assert.ok(!alive({ expiresAtMs: now }))
  })

  it('ends with an operator lock or a new password, for the sessions that were there [C4.20]', () => {
    assert.ok(!alive({ createdAtMs: now }, { sessionsEndedAtMs: now }))
    assert.ok(alive({ createdAtMs: now }, { sessionsEndedAtMs: now - 1 }))
  })

  it('does not count while its user may not sign in', () => {
    assert.ok(!alive({}, { lockedUntilMs: now + 1 }))
    assert.ok(!alive({}, { disabled: true }))
    assert.ok(!maySignIn(sampleUser({ emailConfirmed: false }), { ...rules, requireConfirmedEmail: true }, now, now))
  })

  it('begins after the end of those before, also when a machine whose clock is ahead has set that end', () => {
    const user = sampleUser({ sessionsEndedAtMs: now + 60_000 })
    const entry = { session: sampleSession(), newBrowserId: 'new' }
    const { session, browser } = admit({ user }, entry, now)
    assert.equal(session.createdAtMs, now + 60_001)
    assert.equal(session.authenticatedAtMs, now, 'the sign-in itself was when it was')
    assert.ok(isSessionAlive({ session, user }, rules, now))
    assert.equal(admit({ user, browser }, entry, now).browser, browser, 'the browser is known from then on')
  })

  it('ends with the next end, however far ahead the one before was', () => {
    const user = sampleUser({ sessionsEndedAtMs: now + 60_000 })
    const { session } = admit({ user }, { session: sampleSession(), newBrowserId: 'new' }, now)
    const again = { ...user, sessionsEndedAtMs: endAtMs(now + 1, user.sessionsEndedAtMs) }
    assert.ok(!isSessionAlive({ session, user: again }, rules, now + 1))
    assert.equal(endAtMs(now, null), now)
    assert.equal(endAtMs(now, now - 5), now)
  })

  it('ends after Accounts:SessionMaxLifetime, counted from its beginning, however much it is used', () => {
    const session = sampleSession({ createdAtMs: now - 1000, expiresAtMs: now + 500 })
    const user = sampleUser()
    const alive = (sessionMaxMs: number) => isSessionAlive({ session, user }, { ...rules, sessionMaxMs }, now)
    assert.ok(alive(0))
    assert.ok(alive(1001))
    assert.ok(!alive(1000))
  })

  it('slides up to its last end, and is not written again and again there', () => {
    const at = (expiresAtMs: number) => sampleSession({ createdAtMs: now - 5000, expiresAtMs })
    assert.equal(slideSession(at(now + 400), 1000, now, 5700), now + 700)
    assert.equal(slideSession(at(now + 700), 1000, now, 5700), undefined)
    assert.equal(slideSession(at(now + 400), 1000, now, 5400), undefined)
    assert.equal(slideSession(at(now + 400), 1000, now, 9000), now + 1000)
  })

  it('slides once more than half of its life has passed', () => {
    const lifetimeMs = 1000
    assert.equal(slideSession(sampleSession({ expiresAtMs: now + 500 }), lifetimeMs, now), undefined)
    assert.equal(slideSession(sampleSession({ expiresAtMs: now + 499 }), lifetimeMs, now), now + lifetimeMs)
  })
})
