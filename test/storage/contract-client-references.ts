/** What clients name of others: clients, ids of people, and roles. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MemberChange } from '../../src/protocol/client/client-members.ts'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { aClient, aUser, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const add = (storage: Storage, id: string, metadata: Partial<ClientMetadata> = {}) =>
  storage.clients.create(aClient({ id, metadata: { ...defaultClientMetadata, ...metadata } }))
const set = (member: string, value: unknown): MemberChange => ({ member, operation: 'set', value })
const accountRolesOf = async (storage: Storage, id: string) =>
  (await storage.clients.find(id))?.metadata.service_account_roles

export function clientReferenceContract(storageFor: StorageFor): void {
  describe('what clients name of others', () => {
    it('is known by its id: people, clients and service accounts, but no client that was deleted', async (t) => {
      const storage = await storageFor(t)
      await storage.users.create(aUser({ id: 'person' }))
      await add(storage, 'one', { service_account_subject: 'bot' })
      await add(storage, 'gone', { service_account_subject: 'other-bot' })
      await storage.clients.delete('gone')
      const { clientReferences } = storage
      const named = [set('role_clients', ['one', 'gone', '*', 'nobody'])]
      assert.deepEqual(await clientReferences.factsFor(named), { missingClients: ['gone', 'nobody'] })
      const holders = async (id: string) =>
        (await clientReferences.factsFor([set('service_account_subject', id)])).idHolders
      assert.deepEqual(await holders('person'), [{ id: 'person', is: 'person' }])
      assert.deepEqual(await holders('one'), [{ id: 'one', is: 'client', client: 'one' }])
      assert.deepEqual(await holders('bot'), [{ id: 'bot', is: 'account', client: 'one' }])
      for (const free of ['gone', 'other-bot', 'PERSON', 'nobody']) assert.deepEqual(await holders(free), [], free)
      assert.deepEqual(await clientReferences.factsFor([set('client_name', 'x')]), {})
      const taken = (id: string) => clientReferences.isTaken(id, 'one')
      assert.deepEqual([await taken('person'), await taken('one'), await taken('bot')], [true, false, false])
      assert.equal(await clientReferences.isTaken('one', 'two'), true)
      const other = (id: string) => clientReferences.isTaken(id, 'two')
      assert.deepEqual([await other('bot'), await other('other-bot'), await other('bo')], [true, false, false])
    })

    it('is a role that gives rights by what it includes, or one of a client that is not there', async (t) => {
      const storage = await storageFor(t)
      await add(storage, 'shop')
      const role = (name: string, includes?: string[]) =>
        storage.roles.create({ name, description: null, createdAtMs: now, ...(includes && { includes }) })
      await role('boss', ['latchkey-admin'])
      await role('ward:nurse')
      await role('all', ['ward:included'])
      await storage.users.create(aUser({ roles: ['ward:had'] }))
      await add(storage, 'batch', { service_account_roles: ['ward:batch'] })
      const after = {
        ...{ id: 'g', name: 'g', parentId: null, description: null, roles: ['ward:of-group'] },
        createdAtMs: now,
        version: 1,
      }
      await storage.groups.change(() => ({ changes: [{ id: 'g', after }] }))
      const there = ['ward:nurse', 'ward:included', 'ward:had', 'ward:batch', 'ward:of-group']
      assert.deepEqual(await storage.clientReferences.ownerlessAmong([...there, 'ward:ha', 'plain']), ['ward:ha'])
      const given = set('service_account_roles', ['boss', 'shop:clerk', 'ward:nurse', 'ward:clerk', 'plain'])
      const { administratorRoles, ownerlessRoles } = await storage.clientReferences.factsFor([given])
      assert.deepEqual([...(administratorRoles ?? [])].sort(), ['boss', 'latchkey-admin', 'latchkey-viewer'])
      assert.deepEqual(ownerlessRoles, ['ward:clerk'])
    })

    it('tells service accounts whose subject is somebody else’s id by now', async (t) => {
      const storage = await storageFor(t)
      await add(storage, 'one', { service_account_subject: 'later', client_uri: 'https://a.example/"service_account_' })
      await add(storage, 'two', { client_uri: 'https://b.example/service_account_' })
      const taken = () => storage.clientReferences.takenSubjects()
      assert.deepEqual(await taken(), [])
      await storage.users.create(aUser({ id: 'later' }))
      assert.deepEqual(await taken(), [{ clientId: 'one', subject: 'later' }])
      // Two commands at the same moment, which saw nothing of each other.
      for (const id of ['left', 'right']) await add(storage, id, { service_account_subject: 'a"b' })
      assert.deepEqual((await taken()).map(({ clientId }) => clientId).toSorted(), ['left', 'one', 'right'])
      assert.equal(await storage.clientReferences.isTaken('a"b', 'left'), true)
    })

    it('loses a role that is deleted, among many clients, and nothing else', async (t) => {
      const storage = await storageFor(t)
      const ids = Array.from({ length: 205 }, (_, at) => `client-${String(at).padStart(3, '0')}`)
      const service_account_roles = ['a"b', 'going', 'going-on']
      const default_scopes = ['going']
      for (const id of ids) await add(storage, id, { service_account_roles, default_scopes })
      assert.deepEqual([...(await storage.clientReferences.accountRoles())].sort(), ['a"b', 'going', 'going-on'])
      assert.deepEqual((await storage.clientReferences.withAccountRole('going')).length, 205)
      assert.equal(await storage.roles.deleteEverywhere('going', now), true)
      for (const id of [ids[0] ?? '', ids[204] ?? '']) {
        const client = await storage.clients.find(id)
        const { service_account_roles: kept, default_scopes: scopes } = client?.metadata ?? {}
        assert.deepEqual([client?.version, kept, scopes], [aClient().version + 1, ['a"b', 'going-on'], ['going']])
      }
      assert.equal(await storage.roles.deleteEverywhere('going', now), false)
      assert.equal(await storage.roles.deleteEverywhere('a"b', now), true)
      assert.deepEqual(await accountRolesOf(storage, 'client-100'), ['going-on'])
    })

    it('loses roles with the client that they belong to, and by configuration', async (t) => {
      const storage = await storageFor(t)
      await add(storage, 'shop')
      await add(storage, 'batch', { service_account_roles: ['plain', 'shop:clerk'] })
      assert.deepEqual(await storage.clients.rolesOf('shop'), ['shop:clerk'])
      await assert.rejects(storage.clients.delete('shop'), /ClientHasRoles|shop/)
      await storage.clients.delete('shop', undefined, undefined, { roles: ['shop:clerk'], nowMs: now })
      assert.deepEqual(await accountRolesOf(storage, 'batch'), ['plain'])
      await storage.roles.create({ name: 'plain', description: null, createdAtMs: now })
      const before = await storage.roles.find('plain')
      assert.ok(before)
      assert.equal(await storage.configuration.apply([{ kind: 'role', before, after: undefined }], now), true)
      assert.deepEqual(await accountRolesOf(storage, 'batch'), [])
    })

    it('is not overwritten by a deletion of a role that was decided on what was there before', async (t) => {
      const storage = await storageFor(t)
      await add(storage, 'batch', { service_account_roles: ['going', 'kept'] })
      const rename = storage.clients.update('batch', (client) => ({ ...client, name: 'Renamed' }))
      await Promise.all([rename, storage.roles.deleteEverywhere('going', now)])
      const client = await storage.clients.find('batch')
      assert.deepEqual([client?.name, client?.metadata.service_account_roles], ['Renamed', ['kept']])
    })
  })
}
