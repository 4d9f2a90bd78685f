import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordChange } from '../../src/storage/port/configuration.ts'
import { LastAdministrator } from '../../src/storage/port/users.ts'
import { linkConfirmation } from '../../src/users/confirmation.ts'
import type { Role } from '../../src/users/roles.ts'
import type { User } from '../../src/users/user.ts'
import { valuesOf } from '../support/values.ts'
import {
  aChain,
  aClient,
  aGrant,
  anAuthorization,
  anEvent,
  aScope,
  aSession,
  atOnce,
  aUser,
  countOf,
  created,
  createdAll,
  nextId,
  now,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

const nobody = { consents: [], grants: [], sessions: [], people: [] }

export function configurationContract(storageFor: StorageFor): void {
  describe('configuration', () => {
    it('creates, changes and deletes records of all kinds in one commit, with its events', async (t) => {
      const { configuration, scopes, clients, users, audit } = await storageFor(t)
      const [old, kept, gone] = [
        aScope('kept', { displayName: null }),
        aClient({ id: 'kept' }),
        aUser({ name: 'gone' }),
      ]
      await scopes.create(old)
      await scopes.create(aScope('gone'))
      await clients.create(kept)
      await clients.create(aClient({ id: 'gone' }))
      await users.create(gone)
      const ann = aUser({ name: 'ann' })
      const [goneScope] = await scopes.findMany(['gone'])
      const goneClient = await clients.find('gone')
      const changes: RecordChange[] = [
        { kind: 'scope', before: old, after: { ...old, displayName: 'Kept', resources: ['https://api.example/'] } },
        { kind: 'scope', before: undefined, after: aScope('new') },
        { kind: 'scope', before: goneScope, after: undefined },
        { kind: 'client', before: kept, after: { ...kept, name: 'Kept' } },
        { kind: 'client', before: undefined, after: aClient({ id: 'new' }) },
        { kind: 'client', before: goneClient, after: undefined },
        { kind: 'user', before: gone, after: undefined },
        { kind: 'user', before: undefined, after: ann },
      ]
      assert.equal(await configuration.apply(changes, now, [anEvent({ clientId: 'applied' })]), true)
      const names = (await scopes.list()).map(({ name, displayName }) => [name, displayName])
      assert.deepEqual(names, [
        ['kept', 'Kept'],
        ['new', aScope('new').displayName],
      ])
      assert.deepEqual(
        (await clients.list()).map(({ id, name, version }) => [id, name, version]),
        [
          ['kept', 'Kept', kept.version + 1],
          ['new', aClient({ id: 'new' }).name, aClient().version],
        ],
      )
      assert.deepEqual(valuesOf(await users.list(), 'name'), ['ann'])
      assert.equal((await audit.list({ clientId: 'applied' }, undefined, 10)).length, 1)

      const renamed = { ...ann, email: 'ann@new.example', sessionsEndedAtMs: now, version: 99 }
      assert.equal(await configuration.apply([{ kind: 'user', before: ann, after: renamed }], now), true)
      assert.deepEqual(await users.find(ann.id), { ...renamed, version: ann.version + 1 })
    })

    it('passes addresses on between people, and ends what was mailed to prove the old ones', async (t) => {
      const { configuration, users, confirmations } = await storageFor(t)
      const [ann, ben, cleo] = [aUser({ name: 'ann' }), aUser({ name: 'ben' }), aUser({ name: 'cleo' })]
      for (const one of [ann, ben, cleo]) await users.create(one)
      const undo = linkConfirmation(
        { id: nextId(), tokenHash: nextId() },
        { purpose: 'undo', subject: ann.id, userId: ann.id, details: { email: 'old@example.com' } },
        now,
      )
      await confirmations.put(undo)
      const dan = aUser({ name: 'dan', email: cleo.email })
      const change = (before: User, email: string): RecordChange => ({
        ...{ kind: 'user', before, after: { ...before, email } },
      })
      const taken = [change(ann, ben.email), change(ben, cleo.email)]
      assert.equal(await configuration.apply(taken, now), false)
      assert.equal((await users.find(ann.id))?.email, ann.email)
      const changes: RecordChange[] = [
        { kind: 'user', before: undefined, after: dan },
        change(ann, ben.email),
        change(ben, ann.email.toUpperCase()),
        { kind: 'user', before: cleo, after: undefined },
      ]
      assert.equal(await configuration.apply(changes, now), true)
      const found = await Promise.all([ann, ben, dan].map(({ id }) => users.find(id)))
      assert.deepEqual(
        found.map((user) => user?.email),
        [ben.email, ann.email.toUpperCase(), cleo.email],
      )
      assert.equal((await users.findForSignIn({ name: ann.email.toLowerCase() }, []))?.user.id, ben.id)
      assert.equal(await confirmations.find(undo.id), undefined)
    })

    it('changes nothing if one of the records is another by now, was deleted, or has a name that is taken', async (t) => {
      const { configuration, scopes, clients, users, audit } = await storageFor(t)
      const [scope, client, user] = [aScope('a'), aClient({ id: 'a' }), aUser({ name: 'ann' })]
      await scopes.create(scope)
      await clients.create(client)
      await users.create(user)
      await clients.update('a', (one) => ({ ...one, name: 'changed' }))
      const stale: readonly RecordChange[] = [
        {
          kind: 'scope',
          before: { ...scope, description: 'as it never was' },
          after: { ...scope, displayName: 'x' },
        },
        { kind: 'scope', before: aScope('missing'), after: undefined },
        { kind: 'scope', before: undefined, after: scope },
        { kind: 'client', before: client, after: { ...client, name: 'y' } },
        { kind: 'client', before: undefined, after: client },
        { kind: 'client', before: aClient({ id: 'missing' }), after: undefined },
        { kind: 'user', before: { ...user, version: user.version + 1 }, after: { ...user, roles: ['x'] } },
        { kind: 'user', before: undefined, after: aUser({ name: 'ANN' }) },
      ]
      for (const change of stale) {
        const valid: RecordChange = { kind: 'scope', before: undefined, after: aScope('never') }
        const event = anEvent({ clientId: 'never' })
        assert.equal(await configuration.apply([valid, change], now, [event]), false, JSON.stringify(change.kind))
      }
      assert.deepEqual(valuesOf(await scopes.list(), 'name'), ['a'])
      assert.equal((await clients.find('a'))?.name, 'changed')
      assert.deepEqual(await users.list(), [user])
      assert.deepEqual(await audit.list({ clientId: 'never' }, undefined, 10), [])
    })

    it('deletes no role that every administrator has, also if nobody else is changed', async (t) => {
      const { configuration, roles, users, audit } = await storageFor(t)
      const role: Role = { name: 'latchkey-admin', description: 'May do all', createdAtMs: now }
      const deletion: RecordChange = { kind: 'role', before: role, after: undefined }
      const free = { disabled: false, lockedUntilMs: null, lockoutBeganAtMs: null, deletionDueAtMs: null }
      const ann = aUser({ ...free, name: 'ann', roles: ['latchkey-admin'] })
      await roles.create(role)
      await users.create(ann)
      const event = anEvent({ clientId: 'never' })
      await assert.rejects(configuration.apply([deletion], now, [event]), LastAdministrator)
      const ben: RecordChange = {
        kind: 'user',
        before: undefined,
        after: aUser({ ...free, name: 'ben', roles: ['latchkey-admin'] }),
      }
      await assert.rejects(configuration.apply([deletion, ben], now, [event]), LastAdministrator)
      assert.deepEqual(await roles.find('latchkey-admin'), role)
      assert.deepEqual(await users.list(), [ann])
      assert.deepEqual(await audit.list({ clientId: 'never' }, undefined, 10), [])
      // Nobody loses anything.
      await users.delete(ann.id, [], { force: true })
      assert.equal(await configuration.apply([deletion], now), true)
      assert.equal(await roles.find('latchkey-admin'), undefined)
    })

    it('lets one of many at once win', async (t) => {
      const { configuration, clients } = await storageFor(t)
      const client = await created(clients, aClient({ id: 'a' }))
      const outcomes = await atOnce(8, (at) =>
        configuration.apply([{ kind: 'client', before: client, after: { ...client, name: `n${at}` } }], now),
      )
      assert.equal(countOf(outcomes, true), 1)
    })

    it('names the consents, grants and sessions that a change ends, and the people whose they are', async (t) => {
      const { configuration, clients, users, authorizations, grants } = await storageFor(t)
      const [ann, ben] = await createdAll(users, aUser({ name: 'ann' }), aUser({ name: 'ben' }))
      const [web, other] = await createdAll(clients, aClient({ id: 'web' }), aClient({ id: 'other' }))
      const read = anAuthorization(ann, web, { scopes: ['openid', 'read'] })
      const more = anAuthorization(ben, web, { scopes: ['openid', 'read-more'] })
      const elsewhere = anAuthorization(ann, other, { scopes: ['read'] })
      for (const one of [read, more, elsewhere]) await authorizations.store(one)
      const living = aGrant(ann, web, { scopes: ['read'], refresh: aChain(1, { expiresAtMs: now + 1000 }) })
      const over = aGrant(ben, web, { scopes: ['read'], refresh: aChain(1, { expiresAtMs: now }) })
      for (const one of [living, over]) await grants.redeem(one, [])
      const session = aSession(ann, { expiresAtMs: now + 1000 })
      await users.recordSignIn({ user: ann }, () => ({ outcome: 'in', session }))
      const sorted = async (ending: Parameters<typeof configuration.affected>[0]) => {
        const found = await configuration.affected(ending, now)
        return Object.fromEntries(Object.entries(found).map(([name, ids]) => [name, ids.toSorted()]))
      }
      assert.deepEqual(await sorted({ of: 'client', id: 'web', consents: 'all', grants: true }), {
        consents: [read.id, more.id].sort(),
        grants: [living.id],
        sessions: [],
        people: [ann.id, ben.id].sort(),
      })
      assert.deepEqual(await sorted({ of: 'client', id: 'web', consents: ['read'], grants: false }), {
        ...nobody,
        consents: [read.id],
        people: [ann.id],
      })
      assert.deepEqual(await sorted({ of: 'scope', name: 'read' }), {
        ...nobody,
        consents: [read.id, elsewhere.id].sort(),
        grants: [living.id],
        people: [ann.id],
      })
      assert.deepEqual(await sorted({ of: 'user', id: ann.id, isDeleted: false }), {
        ...nobody,
        sessions: [session.id],
        people: [ann.id],
      })
      assert.deepEqual(await sorted({ of: 'user', id: ann.id, isDeleted: true }), {
        consents: [read.id, elsewhere.id].sort(),
        grants: [living.id],
        sessions: [session.id],
        people: [ann.id],
      })
      assert.deepEqual(await sorted({ of: 'scope', name: 'unused' }), nobody)
    })
  })
}
