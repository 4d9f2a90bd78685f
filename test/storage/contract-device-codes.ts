import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeviceCode } from '../../src/protocol/device/device-code.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { withPassword } from '../../src/users/changes.ts'
import type { Session } from '../../src/users/session.ts'
import type { User } from '../../src/users/user.ts'
import { valuesOf } from '../support/values.ts'
import {
  aClient,
  aDeviceCode,
  aGrant,
  anApproval,
  anAuthorization,
  anEvent,
  aScope,
  aSession,
  asExchanging,
  asRequesting,
  aUser,
  consented,
  created,
  createdAll,
  nextId,
  now,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

async function signIn({ users }: Pick<Storage, 'users'>, user: User, changes: Partial<Session> = {}): Promise<Session> {
  const session = aSession(user, changes)
  await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
  return session
}

/** The requests of devices (RFC 8628). */
export function deviceCodeContract(storageFor: StorageFor): void {
  describe('device codes', () => {
    const keptUntilMs = now + 4_000_000

    it('are found by their id, with all facts for a poll, and by the hash of their user code', async (t) => {
      const storage = await storageFor(t)
      const [user, client, other] = [aUser(), aClient(), aClient()]
      await storage.users.create(user)
      for (const one of [client, other]) await storage.clients.create(one)
      await storage.scopes.create(aScope('demo_api'))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const code = aDeviceCode(client)
      assert.equal(await storage.deviceCodes.create(code, keptUntilMs), true)

      const pending = await storage.deviceCodes.findForPoll(code.id, client.id)
      const { user: none, grant, authorizationStands } = pending
      assert.deepEqual([pending.code, pending.client, none, grant], [code, asRequesting(client), undefined, undefined])
      assert.equal(authorizationStands, true)
      const foreign = await storage.deviceCodes.findForPoll(code.id, other.id)
      assert.deepEqual([foreign.code, foreign.client], [code, asRequesting(other)])
      const unknown = await storage.deviceCodes.findForPoll('unknown', client.id)
      assert.deepEqual([unknown.code, unknown.client], [undefined, asRequesting(client)])

      const found = await storage.deviceCodes.findByUserCode(['another', code.userCodeHash])
      assert.deepEqual([found?.code, found?.client], [code, client])
      assert.deepEqual(valuesOf(found?.scopes ?? [], 'name'), ['demo_api'])
      assert.equal(await storage.deviceCodes.findByUserCode(['another']), undefined)
      assert.equal(await storage.deviceCodes.findByUserCode([]), undefined)

      const answer = { ...anApproval(user, consent.id), sessionId: (await signIn(storage, user)).id }
      assert.equal(await storage.deviceCodes.answer(code.id, answer, now), true)
      const redeemed = aGrant(user, client, { id: code.id, authorizationId: consent.id })
      assert.equal(await storage.grants.redeem(redeemed), true)
      const approved = await storage.deviceCodes.findForPoll(code.id, client.id)
      assert.deepEqual(
        [approved.code, approved.user, approved.grant],
        [{ ...code, answer }, asExchanging(user), redeemed],
      )
      await storage.authorizations.revoke(consent.id)
      assert.equal((await storage.deviceCodes.findForPoll(code.id, client.id)).authorizationStands, false)
    })

    it('are answered once, and not after their end', async (t) => {
      const storage = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      await storage.users.create(user)
      await storage.clients.create(client)
      const [code, late] = [aDeviceCode(client), aDeviceCode(client)]
      for (const one of [code, late]) await storage.deviceCodes.create(one, keptUntilMs)
      const { id: sessionId } = await signIn(storage, user)
      const approval = { ...anApproval(user), sessionId }
      const answers = [approval, { ...approval, authenticatedAtMs: now }, { kind: 'denied' } as const]
      const outcomes = await Promise.all(
        answers.map((answer) =>
          storage.deviceCodes.answer(code.id, answer, now, [anEvent({ kind: 'consent_denied' })]),
        ),
      )
      assert.equal(outcomes.filter((stored) => stored).length, 1)
      assert.equal((await storage.audit.list({ kind: 'consent_denied' }, undefined, 9)).length, 1)
      const winner = answers[outcomes.indexOf(true)]
      assert.deepEqual((await storage.deviceCodes.findForPoll(code.id, client.id)).code?.answer, winner)
      assert.equal(await storage.deviceCodes.answer(late.id, { kind: 'denied' }, late.endsAtMs), false)
      assert.equal(await storage.deviceCodes.answer('unknown', { kind: 'denied' }, now), false)
    })

    it('have unique user codes, and end with their client', async (t) => {
      const storage = await storageFor(t)
      const client = await created(storage.clients, aClient())
      const code = aDeviceCode(client)
      assert.equal(await storage.deviceCodes.create(code, keptUntilMs), true)
      const same = aDeviceCode(client, { userCodeHash: code.userCodeHash })
      assert.equal(await storage.deviceCodes.create(same, keptUntilMs), false)
      assert.equal(await storage.deviceCodes.create(aDeviceCode(aClient()), keptUntilMs), false)
      await storage.clients.delete(client.id)
      assert.equal((await storage.deviceCodes.findForPoll(code.id, client.id)).code, undefined)
    })

    it('that were approved are denied with the session, whatever ends it but a sign-out, and follow their browser', async (t) => {
      const { clients, deviceCodes, sessions, users } = await storageFor(t)
      const client = await created(clients, aClient())
      const approve = async (user: User, sessionId: string) => {
        const code = aDeviceCode(client)
        await deviceCodes.create(code, keptUntilMs)
        const answer = { ...anApproval(user), sessionId }
        assert.equal(await deviceCodes.answer(code.id, answer, now), true)
        return { code, answer }
      }
      const denied = { kind: 'denied' } as const
      const answerOf = async (id: string) => (await deviceCodes.findForPoll(id, client.id)).code?.answer
      const ends: readonly (readonly [
        'denied' | 'stays' | 'moves',
        (user: User, session: Session) => Promise<unknown>,
      ])[] = [
        ['denied', (_, session) => sessions.end(session)],
        ['denied', (user) => sessions.endOthers(user.id, nextId())],
        ['denied', (user) => users.update(user.id, (stored) => withPassword(stored, 'hash', now + 90))],
        ['stays', (user, session) => sessions.endOthers(user.id, session.id)],
        ['stays', (_, session) => sessions.end(session, [], { isSignOut: true })],
        ['stays', (_, session) => sessions.delete(session)],
        ['stays', (_, session) => sessions.replace(session, aSession(aUser()))],
        ['moves', (user, session) => sessions.replace(session, aSession(user, { id: `next ${session.id}` }))],
      ]
      for (const [at, [expected, end]] of ends.entries()) {
        const [user, bystander] = await createdAll(users, aUser({ version: 0, sessionsEndedAtMs: null }), aUser())
        const session = await signIn({ users }, user)
        const other = await signIn({ users }, bystander)
        const [own, others] = [await approve(user, session.id), await approve(bystander, other.id)]
        await end(user, session)
        const kept = expected === 'moves' ? { ...own.answer, sessionId: `next ${session.id}` } : own.answer
        assert.deepEqual(await answerOf(own.code.id), expected === 'denied' ? denied : kept, `${at}`)
        assert.deepEqual(await answerOf(others.code.id), others.answer)
      }
    })

    it('are approved in a session of that user alone that lives, and denied in any', async (t) => {
      const storage = await storageFor(t)
      const client = await created(storage.clients, aClient())
      const [user, other] = await createdAll(storage.users, aUser({ version: 0, sessionsEndedAtMs: null }), aUser())
      const expired = await signIn(storage, user, { expiresAtMs: now })
      const replaced = await signIn(storage, user)
      await storage.sessions.replace(replaced, aSession(user))
      const signedOut = await signIn(storage, user)
      await storage.sessions.end(signedOut, [], { isSignOut: true })
      const ended = await signIn(storage, user)
      await storage.sessions.end(ended)
      const foreign = await signIn(storage, other)
      const sessionIds = [expired, replaced, signedOut, ended, foreign].map(({ id }) => id)
      const approved = [anEvent({ kind: 'device_approved' })]
      for (const sessionId of [...sessionIds, nextId()]) {
        const code = aDeviceCode(client)
        await storage.deviceCodes.create(code, keptUntilMs)
        const answer = { ...anApproval(user), sessionId }
        assert.equal(await storage.deviceCodes.answer(code.id, answer, now, approved), false)
        assert.deepEqual((await storage.deviceCodes.findForPoll(code.id, client.id)).code, code)
        assert.equal(await storage.deviceCodes.answer(code.id, { kind: 'denied' }, now), true)
      }
      assert.deepEqual(await storage.audit.list({ kind: 'device_approved' }, undefined, 9), [])
      const lasting = await signIn(storage, user)
      await storage.users.update(user.id, (stored) => withPassword(stored, 'hash', now + 90))
      const code = aDeviceCode(client)
      await storage.deviceCodes.create(code, keptUntilMs)
      const late = { ...anApproval(user), sessionId: lasting.id }
      assert.equal(await storage.deviceCodes.answer(code.id, late, now), false)
    })

    it('leave no approval of a session that ends at the same moment, whichever comes first', async (t) => {
      const storage = await storageFor(t)
      const { deviceCodes, sessions, users } = storage
      const client = await created(storage.clients, aClient())
      const ends: readonly ((user: User, session: Session) => Promise<unknown>)[] = [
        (_, session) => sessions.end(session),
        (user) => sessions.endOthers(user.id, nextId()),
        (user) => users.update(user.id, (stored) => withPassword(stored, 'hash', now + 90)),
        async (user, session) => {
          // The same browser signed in again, and its new session is ended.
          const next = aSession(user)
          await sessions.replace(session, next)
          await sessions.end(next)
        },
      ]
      for (const end of ends) {
        const rounds = Array.from({ length: 12 }, async (_, round) => {
          const user = await created(users, aUser({ version: 0, sessionsEndedAtMs: null }))
          const session = await signIn(storage, user)
          const codes = [aDeviceCode(client), aDeviceCode(client), aDeviceCode(client)]
          for (const code of codes) await deviceCodes.create(code, keptUntilMs)
          const approve = ({ id }: { id: string }) =>
            deviceCodes.answer(id, { ...anApproval(user), sessionId: session.id }, now)
          const [first, ...others] = codes as [DeviceCode, ...DeviceCode[]]
          // Each of them is first in some rounds.
          const begun = round % 2 === 0 ? [approve(first), end(user, session)] : [end(user, session), approve(first)]
          await Promise.all([...begun, ...others.map(approve)])
          for (const { id } of codes) {
            const { code } = await deviceCodes.findForPoll(id, client.id)
            assert.notEqual(code?.answer?.kind, 'approved')
          }
        })
        await Promise.all(rounds)
      }
    })

    it('are removed by the sweeper when they need not be kept', async (t) => {
      const storage = await storageFor(t)
      const client = await created(storage.clients, aClient())
      const [old, kept] = [aDeviceCode(client), aDeviceCode(client)]
      await storage.deviceCodes.create(old, now)
      await storage.deviceCodes.create(kept, now + 1)
      assert.equal(await storage.sweep(now, 100), 1)
      assert.equal((await storage.deviceCodes.findForPoll(old.id, client.id)).code, undefined)
      assert.deepEqual((await storage.deviceCodes.findForPoll(kept.id, client.id)).code, kept)
    })
  })
}
