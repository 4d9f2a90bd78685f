import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeUser, withPassword } from '../../src/users/changes.ts'
import { type Confirmation, undoneMark } from '../../src/users/confirmation.ts'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import type { Session } from '../../src/users/session.ts'
import type { User } from '../../src/users/user.ts'
import {
  aClient,
  aConfirmation,
  aLogin,
  anAuthorization,
  anEvent,
  aPasskey,
  aSession,
  atOnce,
  aUser,
  countOf,
  created,
  createdAll,
  nextId,
  now,
  someFactors,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

const renamed =
  (email: string) =>
  (user: User): { readonly user: User } => ({
    user: { ...(changeUser(user, { email, email_verified: true }, now) as User) },
  })

export function confirmationContract(storageFor: StorageFor): void {
  describe('confirmations', () => {
    it('give back every field, and their user', async (t) => {
      const { confirmations, users } = await storageFor(t)
      const user = await created(users, aUser())
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
    })

    it('leave the newest of a purpose and subject alone, of any number at once exactly one', async (t) => {
      const { confirmations } = await storageFor(t)
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
    })

    it('count five codes and no more, of any number at once', async (t) => {
      const { confirmations } = await storageFor(t)
      const one = aConfirmation()
      await confirmations.put(one)
      assert.equal(countOf(await atOnce(20, () => confirmations.countAttempt(one.id)), true), 5)
      assert.equal((await confirmations.find(one.id))?.confirmation.attempts, 5)
      assert.equal(await confirmations.countAttempt(nextId()), false)
    })

    it('are used by exactly one of 20 at once, which alone goes on', async (t) => {
      const { confirmations } = await storageFor(t)
      const one = aConfirmation()
      await confirmations.put(one)
      let number = 0
      const used = await atOnce(20, () => confirmations.confirm(one.id, `browser ${number++}`, now + 1, now + 2))
      assert.equal(countOf(used, true), 1)
      const found = (await confirmations.find(one.id))?.confirmation
      assert.deepEqual([found?.confirmedAtMs, found?.expiresAtMs], [now + 1, now + 2])
      assert.equal(found?.browserHash, `browser ${used.indexOf(true)}`)
      assert.equal(await confirmations.countAttempt(one.id), false)
    })

    it('create one user, and none when a name is taken or the confirmation is gone', async (t) => {
      const { audit, confirmations, users } = await storageFor(t)
      const one = aConfirmation()
      await confirmations.put(one)
      const holder = await created(users, aUser())
      const event = () => anEvent({ kind: 'account_registered', userId: null, clientId: 'c' })
      assert.equal(await confirmations.register(one.id, aUser({ name: holder.name }), [event()]), 'name_taken')
      assert.equal(await confirmations.register(one.id, aUser({ email: holder.email }), [event()]), 'email_taken')
      assert.deepEqual((await confirmations.find(one.id))?.confirmation, one)
      const outcomes = await atOnce(20, () => confirmations.register(one.id, aUser(), [event()]))
      assert.deepEqual([countOf(outcomes, 'created'), countOf(outcomes, 'gone')], [1, 19])
      assert.equal((await users.list()).length, 2)
      assert.equal((await audit.list({ clientId: 'c' }, undefined, 10)).length, 1)
    })

    it('make no account of an invitation whose sender was changed meanwhile, nor after it was withdrawn', async (t) => {
      const { confirmations, users } = await storageFor(t)
      const sender = await created(users, aUser())
      const sent = aConfirmation({ purpose: 'invite', begunBy: sender.id, details: { email: 'a@example.com' } })
      await confirmations.put(sent)
      const read = (await users.find(sender.id)) as User
      // Of the role that goes and the account that comes of it, the second to commit loses.
      const [outcome] = await Promise.all([
        confirmations.register(sent.id, aUser(), [], read),
        users.update(sender.id, (user) => ({ ...user, roles: [] })),
      ])
      assert.ok(outcome === 'created' || outcome === 'inviter_changed', outcome)
      const again = aConfirmation({ purpose: 'invite', begunBy: sender.id })
      await confirmations.put(again)
      assert.equal(await confirmations.register(again.id, aUser(), [], read), 'inviter_changed')
      assert.deepEqual((await confirmations.find(again.id))?.confirmation, again)
      const current = (await users.find(sender.id)) as User
      assert.equal(await confirmations.remove(again.id), true)
      assert.equal(await confirmations.register(again.id, aUser(), [], current), 'gone')
      await confirmations.put(again)
      assert.equal(await confirmations.register(again.id, aUser(), [], current), 'created')
    })

    it('change a user once, on the user as stored, and end sessions and what else was pending', async (t) => {
      const { confirmations, sessions, users } = await storageFor(t)
      const user = await created(users, aUser({ sessionsEndedAtMs: null }))
      const session = aSession(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
      const reset = aConfirmation({ purpose: 'reset', userId: user.id, confirmedAtMs: now })
      const email = aConfirmation({ purpose: 'email', userId: user.id })
      const undo = aConfirmation({ purpose: 'undo', userId: user.id })
      for (const one of [reset, email, undo]) await confirmations.put(one)
      const changed = await atOnce(10, () =>
        confirmations.changeUser(reset.id, user.id, (stored) => ({
          user: withPassword(stored, 'hash', now + 9),
        })),
      )
      assert.equal(changed.filter((one) => one !== undefined).length, 1)
      assert.equal((await users.find(user.id))?.passwordHash, 'hash')
      assert.equal((await users.find(user.id))?.version, user.version + 1)
      assert.equal(await sessions.find(session.id), undefined)
      assert.equal(await confirmations.find(email.id), undefined)
      assert.deepEqual((await confirmations.find(undo.id))?.confirmation, undo)
      assert.equal(await confirmations.changeUser(undo.id, user.id, () => undefined), undefined)
      assert.notEqual(await confirmations.find(undo.id), undefined)
    })

    it('change an address with its undo, and one that is used removes all of them', async (t) => {
      const { confirmations, users } = await storageFor(t)
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
      const changing = (email: string, undo: Confirmation) => (stored: User) => ({
        ...renamed(email)(stored),
        following: [undo],
      })
      await confirmations.changeNames(first.id, user.id, changing('b@example.com', undoA))
      await confirmations.put(second)
      assert.equal(
        await confirmations.changeNames(second.id, user.id, changing('taken@example.com', undoB)),
        'email_taken',
      )
      assert.equal(await confirmations.find(undoB.id), undefined)
      await confirmations.changeNames(second.id, user.id, changing('c@example.com', undoB))
      assert.equal((await users.find(user.id))?.email, 'c@example.com')
      const undos = (await confirmations.undos(user.id)).map(({ id }) => id).sort()
      assert.deepEqual(undos, [undoA.id, undoB.id].sort())
      assert.deepEqual(await confirmations.undos(other.id), [])
      await confirmations.put(third)
      const restored = await confirmations.changeNames(undoA.id, user.id, (stored) => ({
        ...renamed('a@example.com')(stored),
        endsUndos: true,
      }))
      assert.equal(typeof restored === 'object' && restored.email, 'a@example.com')
      for (const { id } of [undoA, undoB, third]) assert.equal(await confirmations.find(id), undefined)
    })

    it('hold an address for whoever can take it back: nobody else has it as an address, a name or a look-alike', async (t) => {
      const { confirmations, users } = await storageFor(t)
      const former = 'former@example.com'
      const make = (email: string, change: Partial<User> = {}) =>
        aUser({ email, updatedAtMs: now + 5, sessionsEndedAtMs: null, ...change })
      const [user, other] = [make('next@example.com'), make('other@example.com')]
      for (const one of [user, other]) assert.equal(await users.create(one), 'created')
      const undo = aConfirmation({
        purpose: 'undo',
        userId: user.id,
        details: { email: former },
        expiresAtMs: now + 50,
      })
      await confirmations.put(undo)
      const rename = (id: string, change: Partial<User>) =>
        users.updateNames(id, (stored) => ({ ...stored, ...change }))
      assert.equal(await users.create(make('Former@Example.com')), 'email_taken')
      assert.equal(await users.create(make('a@example.com', { name: former })), 'name_taken')
      assert.equal(await users.create(make('b@example.com', { name: 'f\u043ermer@example.com' })), 'name_confusable')
      assert.equal(await rename(other.id, { email: former, updatedAtMs: now + 6 }), 'email_taken')
      assert.equal(await rename(other.id, { name: former, updatedAtMs: now + 6 }), 'name_taken')
      assert.deepEqual(await users.conflicts({ name: former, email: former }), [
        'name_taken',
        'email_taken',
        'name_confusable',
      ])
      const login = aLogin(other, { subject: nextId() })
      const registered = await users.registerExternal(make(former), login, null)
      assert.equal(registered.outcome, 'email_taken')
      // Once the undo has ended anybody may. The person themselves may go back at any time.
      assert.equal(await users.create(make(former, { updatedAtMs: now + 49 })), 'email_taken')
      const back = await rename(user.id, { email: former, name: former, updatedAtMs: now + 6 })
      assert.equal(typeof back === 'object' && back.email, former)
      const ended = { ...undo, id: nextId(), subject: nextId(), details: { email: 'ended@example.com' } }
      await confirmations.put(ended)
      assert.equal(await users.create(make('ended@example.com', { updatedAtMs: now + 50 })), 'created')
    })

    it('free no address between a change and its undo, however many ask for it at that moment', async (t) => {
      const { confirmations, users } = await storageFor(t)
      for (let round = 0; round < 5; round += 1) {
        const former = `round${round}@example.com`
        const user = await created(users, aUser({ email: former, updatedAtMs: now, sessionsEndedAtMs: null }))
        const asked = aConfirmation({
          purpose: 'email',
          userId: user.id,
          details: { email: `next-${former}`, formerEmail: former },
        })
        await confirmations.put(asked)
        const undo = aConfirmation({ purpose: 'undo', userId: user.id, details: { email: former } })
        const takers = Array.from({ length: 8 }, (_, at) =>
          users.create(aUser({ email: former, name: `taker ${round} ${at}`, updatedAtMs: now })),
        )
        const [changed, ...taken] = await Promise.all([
          confirmations.changeNames(asked.id, user.id, (stored) => ({
            ...renamed(`next-${former}`)(stored),
            following: [undo],
          })),
          ...takers,
        ])
        assert.equal(typeof changed === 'object' && changed.email, `next-${former}`)
        assert.deepEqual(new Set(taken), new Set(['email_taken']))
      }
    })

    it('end with the session in which they were begun, whatever ends it; invitations and links of operators go on after a sign-out alone', async (t) => {
      const { confirmations, sessions, users } = await storageFor(t)
      const begin = async (user: User, sessionId: string) => {
        const begun = { begunBy: user.id, sessionId, createdAtMs: now }
        const email = aConfirmation({ purpose: 'email', userId: user.id, ...begun })
        const invite = aConfirmation({ purpose: 'invite', ...begun })
        const reset = aConfirmation({ purpose: 'reset', userId: nextId(), details: { vouched: true }, ...begun })
        for (const one of [email, invite, reset]) await confirmations.put(one)
        assert.deepEqual((await confirmations.find(invite.id))?.confirmation, invite)
        return [email.id, invite.id, reset.id] as const
      }
      const left = (ids: readonly string[]) =>
        Promise.all(ids.map(async (id) => (await confirmations.find(id)) !== undefined))
      const ends: readonly (readonly [boolean[], (user: User, session: Session) => Promise<unknown>])[] = [
        [[false, true, true], (_, session) => sessions.delete(session)],
        [[false, true, true], (_, session) => sessions.end(session, [], { isSignOut: true })],
        [[false, true, true], (_, session) => sessions.replace(session, aSession(aUser()))],
        [[false, false, false], (_, session) => sessions.end(session)],
        [[false, false, false], (user) => sessions.endOthers(user.id, nextId())],
        [[false, false, false], (user) => users.update(user.id, (stored) => withPassword(stored, 'hash', now + 90))],
        [[false, false, false], (user) => users.delete(user.id, [], { force: true })],
        // Another session, and the same one that goes on in the same browser.
        [[true, true, true], (user) => sessions.endOthers(user.id, 'kept')],
        [[true, true, true], (user, session) => sessions.replace(session, aSession(user, { id: 'next' }))],
      ]
      for (const [at, [expected, end]] of ends.entries()) {
        const user = await created(users, aUser({ version: 0, sessionsEndedAtMs: null }))
        const session = aSession(user, at === 7 ? { id: 'kept' } : {})
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
        const bystander = aUser()
        const others = await begin(bystander, nextId())
        const ids = await begin(user, session.id)
        await end(user, session)
        assert.deepEqual([await left(ids), await left(others)], [expected, [true, true, true]], `${at}`)
        if (at === 8) assert.equal((await confirmations.find(ids[0]))?.confirmation.sessionId, 'next')
        await users.delete(user.id, [], { force: true })
      }
    })

    it('remove what was added to an account since a time, and leave what is older and what others have', async (t) => {
      const { authorizations, clients, confirmations, externalLogins, passkeys, secondFactors, users } =
        await storageFor(t)
      const [user, other] = await createdAll(users, aUser(), aUser())
      const [old, recent] = await createdAll(clients, aClient(), aClient())
      const challenge = () => ({ id: nextId(), expiresAtMs: now + 1 })
      const addAll = async (owner: User, createdAtMs: number, at: string) => {
        await passkeys.add(aPasskey(owner, { createdAtMs }), challenge())
        await externalLogins.link(aLogin(owner, { provider: at, subject: nextId(), createdAtMs }))
        await authorizations.store(anAuthorization(owner, at === 'old' ? old : recent, { createdAtMs }))
      }
      await addAll(user, now - 1, 'old')
      for (const owner of [user, other]) await addAll(owner, now, 'recent')
      const factors = someFactors(user, { recoverySinceMs: now - 1 })
      for (const owner of [user, other]) {
        await secondFactors.change(owner.id, () => ({ factors: { ...factors, userId: owner.id } }))
      }
      const dropping = async (dropsSinceMs: number) => {
        const reset = aConfirmation({ purpose: 'reset', userId: user.id, confirmedAtMs: now })
        await confirmations.put(reset)
        await confirmations.changeUser(reset.id, user.id, (stored) => ({ user: stored, dropsSinceMs }))
      }
      const mark = undoneMark({ tokenHash: nextId() }, { id: user.id, dropsSinceMs: now }, now)
      await confirmations.put(mark)
      const left = async ({ id }: User) => [
        (await passkeys.list(id)).length,
        (await externalLogins.list(id)).length,
        (await authorizations.list(id)).length,
      ]
      await dropping(now)
      assert.deepEqual(
        [await left(user), await left(other)],
        [
          [1, 1, 1],
          [1, 1, 1],
        ],
      )
      const kept = await secondFactors.find(user.id)
      assert.deepEqual([kept?.totp, kept?.pendingTotp, kept?.mailCode], [null, null, null])
      assert.deepEqual(kept?.recoveryHashes, factors.recoveryHashes)
      assert.equal(await confirmations.find(mark.id), undefined)
      // Codes of an earlier version have no time. They go with the last factor that they stand in for.
      await passkeys.add(aPasskey(user, { createdAtMs: 0 }), challenge())
      const untimed = { ...noSecondFactors(user.id), version: kept?.version ?? 0, recoveryHashes: ['x'] }
      await secondFactors.change(user.id, () => ({ factors: untimed }))
      await dropping(1)
      assert.deepEqual((await secondFactors.find(user.id))?.recoveryHashes, ['x'])
      await dropping(0)
      assert.deepEqual(
        [await left(user), await left(other)],
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
      )
      assert.deepEqual((await secondFactors.find(user.id))?.recoveryHashes, [])
      assert.deepEqual((await secondFactors.find(other.id))?.recoveryHashes, factors.recoveryHashes)
    })

    it('end what is added to the account at the same time by a session that they end', async (t) => {
      const { confirmations, externalLogins, passkeys, users } = await storageFor(t)
      const user = await created(users, aUser({ sessionsEndedAtMs: null }))
      const reset = aConfirmation({ purpose: 'reset', userId: user.id, confirmedAtMs: now })
      await confirmations.put(reset)
      const ended = (stored: User) => ({ user: withPassword(stored, 'hash', now + 9), dropsSinceMs: 0 })
      const challenge = () => ({ id: nextId(), expiresAtMs: now + 1 })
      await Promise.all([
        ...Array.from({ length: 6 }, () => passkeys.add(aPasskey(user), challenge(), [], null)),
        confirmations.changeUser(reset.id, user.id, ended),
        ...Array.from({ length: 6 }, () => externalLogins.link(aLogin(user, { subject: nextId() }), [], null)),
      ])
      assert.deepEqual([await passkeys.list(user.id), await externalLogins.list(user.id)], [[], []])
      assert.equal(await passkeys.add(aPasskey(user), challenge(), [], null), 'no_user')
      assert.equal(await externalLogins.link(aLogin(user), [], null), 'no_user')
      assert.equal(await externalLogins.link(aLogin(user), [], now + 9), 'linked')
    })

    it('are removed by exactly one of 20 at once, and once they have expired', async (t) => {
      const { confirmations, sweep } = await storageFor(t)
      const [one, old] = [aConfirmation({ userId: 'u' }), aConfirmation({ expiresAtMs: now })]
      const kept = aConfirmation({ userId: 'u', purpose: 'reset', expiresAtMs: now + 1 })
      for (const each of [one, old, kept]) await confirmations.put(each)
      assert.equal(countOf(await atOnce(20, () => confirmations.remove(one.id)), true), 1)
      await sweep(now, 100)
      assert.equal(await confirmations.find(old.id), undefined)
      assert.notEqual(await confirmations.find(kept.id), undefined)
    })

    it('end with the sessions of their user, an undo excepted, and all with a new address by an operator', async (t) => {
      const { confirmations, users } = await storageFor(t)
      const user = await created(users, aUser({ sessionsEndedAtMs: null }))
      const [email, undo] = (['email', 'undo'] as const).map((purpose) => aConfirmation({ purpose, userId: user.id }))
      assert.ok(email && undo)
      for (const one of [email, undo]) await confirmations.put(one)
      await users.update(user.id, (stored) => ({ ...stored, roles: ['other'] }))
      assert.notEqual(await confirmations.find(email.id), undefined)
      await users.update(user.id, (stored) => withPassword(stored, 'hash', now))
      assert.equal(await confirmations.find(email.id), undefined)
      assert.notEqual(await confirmations.find(undo.id), undefined)
      await users.updateNames(user.id, (stored) => renamed('operator@example.com')(stored).user)
      assert.equal(await confirmations.find(undo.id), undefined)
    })
  })
}
