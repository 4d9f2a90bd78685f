/** What may be changed of a user, as tables: no database, no clock. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Judged } from '../../src/problem.ts'
import { isRefusal } from '../../src/refusal.ts'
import { changeUser, lock, unlock, userMemberProblem, withPassword } from '../../src/users/changes.ts'
import { registrationProblems } from '../../src/users/registration.ts'
import { withoutRole, withRole } from '../../src/users/roles.ts'
import type { User } from '../../src/users/user.ts'
import { userRecord } from '../../src/users/user-record.ts'
import { now, sampleUser } from '../protocol/samples.ts'

const accepted = (judged: Judged<User>): User => {
  assert.ok(!isRefusal(judged), JSON.stringify(judged))
  return judged
}

describe('changing a user', () => {
  it('ends the confirmation of an address with the address, unless it is confirmed in the same go', () => {
    const user = sampleUser({ emailConfirmed: true })
    const confirmed = (members: object) => accepted(changeUser(user, members, now)).emailConfirmed
    assert.equal(confirmed({ email: 'new@example.com' }), false)
    assert.equal(confirmed({ email: 'new@example.com', email_verified: true }), true)
    assert.equal(confirmed({ email: 'ALICE@example.com' }), true)
    assert.equal(confirmed({ email_verified: false }), false)
    assert.equal(confirmed({ username: 'ally' }), true)
  })

  it('leaves id, password, roles, locks and what has ended as they are', () => {
    const user = sampleUser({ sessionsEndedAtMs: 1, grantsEndedAtMs: 2, lockedUntilMs: 3 })
    const members = { username: 'ally', email: 'ally@example.com', email_verified: true }
    const { name, email, updatedAtMs, claims, ...others } = accepted(changeUser(user, members, now))
    assert.deepEqual([name, email, updatedAtMs], ['ally', 'ally@example.com', now])
    assert.deepEqual(claims, { updated_at: now / 1000 })
    assert.deepEqual({ ...user, ...others }, user)
  })

  it('judges what is new and not what is there: an old name that is no longer given stays', () => {
    const old = sampleUser({ name: 'аlice\u200b', email: 'alice' })
    assert.equal(accepted(changeUser(old, { email_verified: true }, now)).name, old.name)
    const judged = changeUser(sampleUser(), { username: 'аlice', email: 'alice' }, now)
    assert.ok(isRefusal(judged))
    assert.deepEqual(
      judged.problems.map(({ member }) => member),
      ['username', 'email'],
    )
  })

  it('knows which members can be set, and what to run for the others', () => {
    assert.equal(userMemberProblem('email'), undefined)
    for (const [member, why] of [
      ['sub', /never changes/],
      ['roles', /add-role/],
      ['password', /set-password/],
      ['locked_until', /user lock/],
      ['toString', /can be set: username, email, email_verified/],
    ] as const) {
      assert.match(userMemberProblem(member)?.message ?? '', why)
    }
  })

  it('locks until a time ahead, or without an end; both end sessions and grants', () => {
    const locked = accepted(lock(sampleUser({ lockoutBeganAtMs: 1 }), null, now))
    assert.deepEqual([locked.disabled, locked.sessionsEndedAtMs, locked.grantsEndedAtMs], [true, now, now])
    assert.equal(locked.lockoutBeganAtMs, null)
    assert.equal(accepted(lock(sampleUser(), now + 1, now)).disabled, false)
    for (const untilMs of [now, Number.NaN]) assert.ok(isRefusal(lock(sampleUser(), untilMs, now)), String(untilMs))
    assert.ok(isRefusal(lock(sampleUser(), now, now)))
    assert.deepEqual(unlock(locked, now).lockedUntilMs, null)
    assert.equal(withPassword(sampleUser({ failedAttempts: 3 }), 'x', now).failedAttempts, 0)
  })

  it('gives a role once, fifty at most', () => {
    const user = sampleUser({ roles: ['b'] })
    assert.deepEqual(accepted(withRole(user, 'a', now)).roles, ['a', 'b'])
    assert.equal(accepted(withRole(user, 'b', now)), user)
    assert.deepEqual(withoutRole(user, 'b', now).roles, [])
    const full = sampleUser({ roles: Array.from({ length: 50 }, (_, at) => `role-${at}`) })
    assert.ok(isRefusal(withRole(full, 'one more', now)))
  })
})

describe('registering a user', () => {
  it('names every member at fault at once', () => {
    const found = registrationProblems({ name: '', email: 'x', roles: [''] })
    assert.deepEqual(
      found.map(({ member }) => member),
      ['username', 'email', 'roles'],
    )
    assert.deepEqual(registrationProblems({ name: 'alice', email: 'a@b', roles: ['admin'] }), [])
  })

  it('shows a user by the names of the contract', () => {
    assert.deepEqual(Object.keys(userRecord(sampleUser(), now)), [
      'id',
      'username',
      'email',
      'email_verified',
      'roles',
      'required_actions',
      'had_second_factor',
      'locked_until',
      'disabled',
      'created_at',
    ])
  })
})
