import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { settleConsents } from '../../src/import/consents.ts'
import { settleGone } from '../../src/import/gone.ts'
import { openPatience } from '../../src/import/patience.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { aClient, aScope, aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

type Fault = 'before' | 'after' | 'none'
type Verb = (...given: never[]) => Promise<unknown>

/** A verb whose first answers do not come: the commit is lost with `before`, and stored with `after`. */
function unanswered<Of extends Verb>(verb: Of, faults: readonly Fault[]): Of {
  let calls = 0
  const silent = () => new StorageUnavailable('The database did not answer.', { isPassing: true })
  return (async (...given: never[]) => {
    const fault = faults[calls++]
    if (fault === 'before') throw silent()
    const outcome = await verb(...given)
    if (fault === 'after') throw silent()
    return outcome
  }) as Of
}

function waiting() {
  const paused: number[] = []
  const isPassing = (error: unknown): error is Error => error instanceof StorageUnavailable && error.isPassing
  return { paused, patience: openPatience({ isPassing, pause: async (ms) => paused.push(ms), say() {} }) }
}

const event = (kind: AuditKind, parties: { readonly userId?: string; readonly clientId?: string }, details = {}) =>
  eventBy('test', now, kind, parties, details)

const kindsOf = async (storage: Storage) =>
  (await storage.audit.list({}, undefined, 50))
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'consent_given' || kind === 'user_deleted' || kind === 'client_deleted')

const cases = [
  ['is not stored', ['before', 'before'], [1000, 2000]],
  ['is stored without an answer', ['after'], [1000]],
  ['is lost once, and stored without an answer then', ['before', 'after'], [1000, 2000]],
] as const

export function importEndContract(storageFor: StorageFor): void {
  describe('the end of an import, whose commit', () => {
    for (const [what, faults, pauses] of cases) {
      it(`${what}: consents are given once`, async (t) => {
        const storage = await storageFor(t)
        const [user, client] = [aUser(), aClient({ scopes: ['openid', 'notes'] })]
        await created(storage.users, user)
        await created(storage.scopes, aScope('notes'))
        await created(storage.clients, client)
        const consent = { userId: user.id, clientId: client.id, scopes: ['notes', 'openid'], isByOperator: false }
        const counts = { read: 1, created: 0, updated: 0, skipped: 0, failed: 0 }
        const progress = { id: nextId(), kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now }
        await storage.imports.store({ before: undefined, progress, people: [], failures: [], consents: [consent] })
        const { paused, patience } = waiting()
        const imports = { ...storage.imports, settleConsent: unanswered(storage.imports.settleConsent, faults) }
        const random = (bytes: number) => new Uint8Array(bytes)
        await settleConsents({ storage: { ...storage, imports }, patience, nowMs: now, random, event })
        const given = await storage.authorizations.list(user.id)
        assert.deepEqual(
          given.map(({ clientId, scopes }) => [clientId, scopes]),
          [[client.id, ['notes', 'openid']]],
        )
        assert.deepEqual(await kindsOf(storage), ['consent_given'])
        assert.deepEqual(paused, pauses)
      })

      it(`${what}: who and what is gone is deleted once, and said to be`, async (t) => {
        const storage = await storageFor(t)
        const [gone, left, client] = [aUser(), aUser(), aClient()]
        for (const user of [gone, left]) await created(storage.users, user)
        await created(storage.clients, client)
        const counts = { read: 2, created: 0, updated: 0, skipped: 0, failed: 0 }
        const progress = { id: nextId(), kind: 'users', recordsRead: 2, counts, notKept: {}, startedAtMs: now }
        const from = { origin: 'users', marks: {}, seenAtMs: now } as const
        const origins = [
          { ...from, kind: 'person' as const, key: 'gone', id: gone.id },
          { ...from, kind: 'person' as const, key: 'left', id: left.id, seenAtMs: now + 1 },
          { ...from, kind: 'client' as const, key: client.id, id: client.id },
        ]
        await storage.imports.store({ before: undefined, progress, people: [], failures: [], origins })
        const { paused, patience } = waiting()
        const found = await settleGone({
          storage: {
            ...storage,
            imports: { ...storage.imports, leave: unanswered(storage.imports.leave, ['after']) },
            users: { ...storage.users, delete: unanswered(storage.users.delete, faults) },
            clients: { ...storage.clients, delete: unanswered(storage.clients.delete, faults) },
          },
          ...{ patience, isDryRun: false, startedAtMs: now + 1, leftOut: new Set(), hasPeople: true },
          ...{ barred: undefined, allowsMany: true, event },
          syncing: {
            ...{ origin: 'users', isCompared: false, isFirst: false, isWhole: true, differences: [] },
            ...{ known: { person: 2, client: 1 }, found: { keys: new Set(), ids: new Set() } },
            ...{
              remembersConsents: true,
              sinceMs: now,
              consents: { clients: new Set(), given: new Set(), adopted: new Set() },
            },
          },
        })
        assert.deepEqual(found.people, [{ id: gone.id, username: gone.name, deleted: true }])
        assert.deepEqual(found.records, [{ kind: 'client', source: client.id, deleted: true }])
        assert.deepEqual(
          [await storage.users.find(gone.id), await storage.clients.find(client.id)],
          [undefined, undefined],
        )
        assert.equal((await storage.users.find(left.id))?.name, left.name)
        assert.deepEqual((await kindsOf(storage)).sort(), ['client_deleted', 'user_deleted'])
        assert.deepEqual(paused, [1000, ...pauses, ...pauses])
      })
    }

    it('is not answered because somebody else changed the person: stays', async (t) => {
      const storage = await storageFor(t)
      const gone = await created(storage.users, aUser())
      const counts = { read: 1, created: 0, updated: 0, skipped: 0, failed: 0 }
      const progress = { id: nextId(), kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now }
      const origin = { kind: 'person', origin: 'users', key: 'gone', id: gone.id, marks: {}, seenAtMs: now } as const
      await storage.imports.store({ before: undefined, progress, people: [], failures: [], origins: [origin] })
      const remove: Storage['users']['delete'] = unanswered(storage.users.delete, ['before'])
      const { patience } = waiting()
      const changed: Storage['users']['delete'] = async (id, events, options) => {
        const stored = await storage.users.find(id)
        if (stored?.version === gone.version)
          await storage.users.update(id, (user) => ({ ...user, members: { name: 'New' } }))
        return remove(id, events, options)
      }
      const found = await settleGone({
        storage: { ...storage, users: { ...storage.users, delete: changed } },
        ...{ patience, isDryRun: false, startedAtMs: now + 1, leftOut: new Set(), hasPeople: true },
        ...{ barred: undefined, allowsMany: true, event },
        syncing: {
          ...{ origin: 'users', isCompared: false, isFirst: false, isWhole: true, differences: [] },
          ...{ known: { person: 1, client: 0 }, found: { keys: new Set(), ids: new Set() } },
          ...{
            remembersConsents: true,
            sinceMs: now,
            consents: { clients: new Set(), given: new Set(), adopted: new Set() },
          },
        },
      })
      assert.deepEqual(found.people, [{ id: gone.id, username: gone.name, deleted: false }])
      assert.notEqual(await storage.users.find(gone.id), undefined)
    })
  })
}
