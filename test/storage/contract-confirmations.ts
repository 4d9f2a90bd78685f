import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeUser, withPassword } from '../../src/users/changes.ts'
import type { User } from '../../src/users/user.ts'
import type { WithStorage } from './contract.ts'
import { aConfirmation, anEvent, aSession, atOnce, aUser, countOf, nextId, now } from './records.ts'

const renamed =
  (email: string) =>
  (user: User): User => ({ ...(changeUser(user, { email, email_verified: true }, now) as User) })

export function confirmationContract(withStorage: WithStorage): void {
  describe('confirmations', () => {
    it(
      'give back every field, and their user',
      withStorage(async ({ confirmations, users }) => {
        const user = aUser()
        await users.create(user)
        const pending = aConfirmation()
        const used = aConfirmation({
          purpose: 'reset',
          userId: user.id,
          codeHash: null,
          confirmedAtMs: now,
          details: {},
        })
        for (const one of [pending, used]) await confirmations.put(one)
        assert.deepEqual(await confirmations.find(pending.id), { confirmation: pending, user: undefined })
        assert.deepEqual(await confirmations.find(used.id), { confirmation: used, user })
        assert.equal(await confirmations.find(nextId()), undefined)
        await users.delete(user.id)
        assert.equal(await confirmations.find(used.id), undefined)
      }),
    )

    it(
      'leave the newest of a purpose and subject alone, of any number at once exactly one',
      withStorage(async ({ confirmations }) => {
        const before = aConfirmation({ subject: 's', confirmedAtMs: now })
        const other = aConfirmation({ subject: 's', purpose: 'reset' })
        await confirmations.put(before)
        await confirmations.put(other)
        const made = Array.from({ length: 20 }, () => aConfirmation({ subject: 's' }))
        await Promise.all(made.map((one) => confirmations.put(one)))
        const left = await Promise.all([...made, before].map(({ id }) => confirmations.find(id)))
        assert.equal(left.filter((one) => one !== undefined).length, 1)
        assert.equal(await confirmations.find(before.id), undefined)
        assert.deepEqual((await confirmations.find(other.id))?.confirmation, other)
      }),
    )

    it(
      'count five codes and no more, of any number at once',
      withStorage(async ({ confirmations }) => {
        const one = aConfirmation()
        await confirmations.put(one)
        assert.equal(countOf(await atOnce(20, () => confirmations.countAttempt(one.id)), true), 5)
        assert.equal((await confirmations.find(one.id))?.confirmation.attempts, 5)
        assert.equal(await confirmations.countAttempt(nextId()), false)
      }),
    )

    it(
      'are used by exactly one of 20 at once, which alone goes on',
      withStorage(async ({ confirmations }) => {
        const one = aConfirmation()
        await confirmations.put(one)
        let number = 0
        const used = await atOnce(20, () => confirmations.confirm(one.id, `browser ${number++}`, now + 1, now + 2))
        assert.equal(countOf(used, true), 1)
        const found = (await confirmations.find(one.id))?.confirmation
        assert.deepEqual([found?.confirmedAtMs, found?.expiresAtMs], [now + 1, now + 2])
        assert.equal(found?.browserHash, `browser ${used.indexOf(true)}`)
        assert.equal(await confirmations.countAttempt(one.id), false)
      }),
    )

    it(
      'create one user, and none when a name is taken or the confirmation is gone',
      withStorage(async ({ audit, confirmations, users }) => {
        const one = aConfirmation()
        await confirmations.put(one)
        const holder = aUser()
        await users.create(holder)
        const event = () => anEvent({ kind: 'account_registered', userId: null, clientId: 'c' })
        assert.equal(await confirmations.register(one.id, aUser({ name: holder.name }), [event()]), 'name_taken')
        assert.equal(await confirmations.register(one.id, aUser({ email: holder.email }), [event()]), 'email_taken')
        assert.deepEqual((await confirmations.find(one.id))?.confirmation, one)
        const outcomes = await atOnce(20, () => confirmations.register(one.id, aUser(), [event()]))
        assert.deepEqual([countOf(outcomes, 'created'), countOf(outcomes, 'gone')], [1, 19])
        assert.equal((await users.list()).length, 2)
        assert.equal((await audit.list({ clientId: 'c' }, undefined, 10)).length, 1)
      }),
    )

    it(
      'change a user once, on the user as stored, and end sessions and what else was pending',
      withStorage(async ({ confirmations, sessions, users }) => {
        const user = aUser({ sessionsEndedAtMs: null })
        await users.create(user)
        const session = aSession(user)
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
        const reset = aConfirmation({ purpose: 'reset', userId: user.id, confirmedAtMs: now })
        const email = aConfirmation({ purpose: 'email', userId: user.id })
        const undo = aConfirmation({ purpose: 'undo', userId: user.id })
        for (const one of [reset, email, undo]) await confirmations.put(one)
        const changed = await atOnce(10, () =>
          confirmations.changeUser(reset.id, user.id, (stored) => withPassword(stored, 'hash', now + 9)),
        )
        assert.equal(changed.filter((one) => one !== undefined).length, 1)
        assert.equal((await users.find(user.id))?.passwordHash, 'hash')
        assert.equal((await users.find(user.id))?.version, user.version + 1)
        assert.equal(await sessions.find(session.id), undefined)
        assert.equal(await confirmations.find(email.id), undefined)
        assert.deepEqual((await confirmations.find(undo.id))?.confirmation, undo)
        assert.equal(await confirmations.changeUser(undo.id, user.id, () => undefined), undefined)
        assert.notEqual(await confirmations.find(undo.id), undefined)
      }),
    )

    it(
      'change an address with its undo, and an undo removes the later ones',
      withStorage(async ({ confirmations, users }) => {
        const [user, other] = [aUser({ email: 'a@example.com' }), aUser({ email: 'taken@example.com' })]
        for (const one of [user, other]) await users.create(one)
        const [first, second, third] = [1, 2, 3].map((n) =>
          aConfirmation({ purpose: 'email', userId: user.id, subject: `${user.id} ${n}` }),
        ) as [ReturnType<typeof aConfirmation>, ReturnType<typeof aConfirmation>, ReturnType<typeof aConfirmation>]
        const [undoA, undoB] = [
          aConfirmation({ purpose: 'undo', userId: user.id }),
          aConfirmation({ purpose: 'undo', userId: user.id }),
        ]
        await confirmations.put(first)
        await confirmations.changeNames(first.id, user.id, renamed('b@example.com'), undoA)
        await confirmations.put(second)
        assert.equal(
          await confirmations.changeNames(second.id, user.id, renamed('taken@example.com'), undoB),
          'email_taken',
        )
        assert.equal(await confirmations.find(undoB.id), undefined)
        await confirmations.changeNames(second.id, user.id, renamed('c@example.com'), undoB)
        assert.equal((await users.find(user.id))?.email, 'c@example.com')
        await confirmations.put(third)
        const restored = await confirmations.changeNames(undoA.id, user.id, renamed('a@example.com'), undefined)
        assert.equal(typeof restored === 'object' && restored.email, 'a@example.com')
        for (const { id } of [undoA, undoB, third]) assert.equal(await confirmations.find(id), undefined)
      }),
    )

    it(
      'are removed by exactly one of 20 at once, and once they have expired',
      withStorage(async ({ confirmations, sweep }) => {
        const [one, old] = [aConfirmation({ userId: 'u' }), aConfirmation({ expiresAtMs: now })]
        const kept = aConfirmation({ userId: 'u', purpose: 'reset', expiresAtMs: now + 1 })
        for (const each of [one, old, kept]) await confirmations.put(each)
        assert.equal(countOf(await atOnce(20, () => confirmations.remove(one.id)), true), 1)
        await sweep(now, 100)
        assert.equal(await confirmations.find(old.id), undefined)
        assert.notEqual(await confirmations.find(kept.id), undefined)
      }),
    )

    it(
      'end with the sessions of their user, an undo excepted, and all with a new address by an operator',
      withStorage(async ({ confirmations, users }) => {
        const user = aUser({ sessionsEndedAtMs: null })
        await users.create(user)
        const [email, undo] = (['email', 'undo'] as const).map((purpose) => aConfirmation({ purpose, userId: user.id }))
        assert.ok(email && undo)
        for (const one of [email, undo]) await confirmations.put(one)
        await users.update(user.id, (stored) => ({ ...stored, roles: ['other'] }))
        assert.notEqual(await confirmations.find(email.id), undefined)
        await users.update(user.id, (stored) => withPassword(stored, 'hash', now))
        assert.equal(await confirmations.find(email.id), undefined)
        assert.notEqual(await confirmations.find(undo.id), undefined)
        await users.updateNames(user.id, renamed('operator@example.com'))
        assert.equal(await confirmations.find(undo.id), undefined)
      }),
    )
  })
}
