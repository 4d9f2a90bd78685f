import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessPageRows } from '../../src/storage/port/access-pages.ts'
import { aClient, aGrant, aSession, aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function accessPagesContract(storageFor: StorageFor): void {
  describe('pages of sessions, grants and consents', () => {
    it('have a person, or everybody, ascending by id, and leave out deleted people', async (t) => {
      const { users, clients, authorizations, grants, accessPages } = await storageFor(t)
      const [one, other] = [aUser(), aUser()]
      const client = await created(clients, aClient())
      const sessions = []
      for (const user of [one, other]) {
        await users.create(user)
        const session = aSession(user)
        sessions.push(session)
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
        const consent = { id: nextId(), userId: user.id, clientId: client.id, scopes: ['openid'], createdAtMs: now }
        await authorizations.store(consent)
        assert.equal(await grants.redeem(aGrant(user, client, { authorizationId: consent.id })), true)
      }
      const all = await accessPages.sessions({ after: '' })
      assert.deepEqual(
        all.rows.map(({ session, user }) => [session.id, user.id]),
        sessions.map(({ id, userId }) => [id, userId]).sort(),
      )
      assert.equal(all.next, undefined)
      const { rows } = await accessPages.grants({ userId: one.id, after: '' })
      assert.deepEqual(
        rows.map(({ grant, authorizationStands }) => [grant.userId, authorizationStands]),
        [[one.id, true]],
      )
      const [grant] = rows
      assert.deepEqual(await accessPages.findGrant(grant?.grant.id ?? ''), grant)
      const consents = await accessPages.authorizations({ userId: one.id, after: '' })
      const [consent] = consents.rows
      assert.deepEqual(await accessPages.findAuthorization(consent?.id ?? ''), consent)
      assert.deepEqual(await accessPages.authorizations({ after: consent?.id ?? '', userId: one.id }), { rows: [] })
      await authorizations.revoke(consent?.id ?? '')
      assert.equal((await accessPages.findGrant(grant?.grant.id ?? ''))?.authorizationStands, false)
      await users.delete(one.id)
      assert.equal(await accessPages.findGrant(grant?.grant.id ?? ''), undefined)
      assert.deepEqual(
        (await accessPages.grants({ after: '' })).rows.map(({ grant: { userId } }) => userId),
        [other.id],
      )
    })

    it('have the grants and consents of a client, and say whether there are more', async (t) => {
      const { users, clients, authorizations, grants, accessPages } = await storageFor(t)
      const user = await created(users, aUser())
      const [client, other] = [await created(clients, aClient()), await created(clients, aClient())]
      const consent = { id: nextId(), userId: user.id, clientId: client.id, scopes: ['openid'], createdAtMs: now }
      await authorizations.store(consent)
      const [own, foreign] = [aGrant(user, client, { authorizationId: consent.id }), aGrant(user, other)]
      for (const grant of [own, foreign]) assert.equal(await grants.redeem(grant), true)
      const found = await accessPages.ofClient(client.id)
      assert.deepEqual(
        [found.grants.map(({ grant }) => grant.id), found.authorizations.map(({ id }) => id), found.isWhole],
        [[own.id], [consent.id], true],
      )
      await Promise.all(Array.from({ length: accessPageRows }, () => grants.redeem(aGrant(user, client))))
      const part = await accessPages.ofClient(client.id)
      assert.deepEqual([part.grants.length, part.isWhole], [accessPageRows, false])
    })

    it('have the sessions of several people, each once, and say whether there may be more', async (t) => {
      const { users, accessPages } = await storageFor(t)
      const [one, two, other] = [await created(users, aUser()), await created(users, aUser()), aUser()]
      await users.create(other)
      const expected: string[] = []
      for (const user of [one, one, two, other]) {
        const session = aSession(user)
        if (user !== other) expected.push(session.id)
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
      }
      const found = await accessPages.sessionsOfPeople([one.id, two.id, one.id, 'nobody'])
      assert.deepEqual([found.sessions.map(({ session }) => session.id).sort(), found.isWhole], [expected.sort(), true])
      assert.ok(found.sessions.every(({ session, user }) => session.userId === user.id))
      await users.delete(two.id)
      assert.deepEqual(await accessPages.sessionsOfPeople([two.id]), { sessions: [], isWhole: true })
    })

    it('say after which row they go on', async (t) => {
      const { users, clients, grants, accessPages } = await storageFor(t)
      const user = await created(users, aUser())
      const client = await created(clients, aClient())
      const stored = Array.from({ length: accessPageRows + 1 }, () => aGrant(user, client))
      await Promise.all(stored.map((grant) => grants.redeem(grant)))
      for (const userId of [undefined, user.id]) {
        const first = await accessPages.grants({ userId, after: '' })
        assert.equal(first.rows.length, accessPageRows)
        assert.equal(first.next, first.rows.at(-1)?.grant.id)
        const second = await accessPages.grants({ userId, after: first.next ?? '' })
        assert.deepEqual([second.rows.length, second.next], [1, undefined])
      }
    })
  })
}
