import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSessionAlive, slideSession } from '../../src/users/session.ts'
import { decidePasswordSignIn, maySignIn } from '../../src/users/sign-in.ts'
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

  it('counts a wrong password and locks at the limit', () => {
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

describe('whether a session counts', () => {
  const alive = (session: Parameters<typeof sampleSession>[0], user: Parameters<typeof sampleUser>[0] = {}) =>
    isSessionAlive({ session: sampleSession(session), user: sampleUser(user) }, rules, now)

  it('counts until its expiry, and not from then on', () => {
    assert.ok(alive({ expiresAtMs: now + 1 }))
    assert.ok(!alive({ expiresAtMs: now }))
  })

  it('ends with an operator lock or a new password, for the sessions that were there', () => {
    assert.ok(!alive({ createdAtMs: now }, { sessionsEndedAtMs: now }))
    assert.ok(alive({ createdAtMs: now }, { sessionsEndedAtMs: now - 1 }))
  })

  it('does not count while its user may not sign in', () => {
    assert.ok(!alive({}, { lockedUntilMs: now + 1 }))
    assert.ok(!alive({}, { disabled: true }))
    assert.ok(!maySignIn(sampleUser({ emailConfirmed: false }), { ...rules, requireConfirmedEmail: true }, now, now))
  })

  it('slides once more than half of its life has passed', () => {
    const lifetimeMs = 1000
    assert.equal(slideSession(sampleSession({ expiresAtMs: now + 500 }), lifetimeMs, now), undefined)
    assert.equal(slideSession(sampleSession({ expiresAtMs: now + 499 }), lifetimeMs, now), now + lifetimeMs)
  })
})
