import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashOf } from '../../src/audit/chain.ts'
import type { AuditEntry, AuditEvent, StoredAuditEntry } from '../../src/audit/entry.ts'
import { following, Position } from '../../src/audit/following.ts'
import { type AuditFilter, scannedAtMost } from '../../src/storage/port/audit.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { valuesOf } from '../support/values.ts'
import { userAndClient } from './contract-clients.ts'
import {
  aChain,
  aClient,
  aClientRegistration,
  aGrant,
  aKey,
  anEvent,
  aPushedRequest,
  aSession,
  atOnce,
  aUser,
  countOf,
  created,
  nextId,
  now,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function auditContract(storageFor: StorageFor): void {
  describe('the audit trail', () => {
    it('gives back every field of an entry', async (t) => {
      const { audit } = await storageFor(t)
      const full = anEvent({ details: { text: 'quote"d\n测试', count: 3, flag: true, none: null, list: ['a', 'b'] } })
      const bare = anEvent({ atMs: now + 9, userId: null, clientId: null, traceId: null, address: null, details: {} })
      await audit.append([full, bare])
      const entries = await audit.list({}, undefined, 10)
      assert.deepEqual(entries.map(withoutPlace), [full, bare])
      assert.deepEqual(valuesOf(entries, 'seq'), [1, 2])
      assert.match(entries[0]?.writer ?? '', /^[0-9a-f]{16}$/)
    })

    it('keeps fields on one line and in a form that every database can hold, whatever was sent', async (t) => {
      const { audit } = await storageFor(t)
      await audit.append([anEvent({ clientId: 'a\nb\0c\ud800', userId: '', details: { sent: '\0\ud800' } })])
      const [entry] = await audit.list({}, undefined, 1)
      assert.equal(entry?.clientId, 'a\ufffdb\ufffdc\ufffd')
      assert.equal(entry?.userId, null)
      assert.deepEqual(entry?.details, { sent: '\0\ud800' })
      await assertChained({ audit })
    })

    it('commits an act whatever its event holds, with an entry of the same kind', async (t) => {
      const storage = await storageFor(t)
      const broken = brokenEvents()
      assert.ok(broken.length >= 15)
      for (const event of broken) {
        assert.equal(await storage.spentValues.spend(nextId(), now, [event]), true)
        const user = await created(storage.users, aUser())
        assert.equal(await storage.users.delete(user.id, [event]), true)
      }
      const entries = await assertChained(storage)
      assert.equal(entries.length, 2 * broken.length)
      const kinds = new Set(entries.map(({ kind }) => kind))
      assert.deepEqual([...kinds].sort(), ['code_replayed', 'unknown'])
      for (const { details } of entries) assert.ok(JSON.parse(details) !== null && details.length <= 65_536, details)
      // What can be read of it is kept.
      const partly = entries.filter(({ details }) => details.includes('"grant":"kept"'))
      assert.ok(partly.length >= 6, `only ${partly.length} kept what could be read`)
    })

    it('notes what comes after an event that holds anything', async (t) => {
      const storage = await storageFor(t)
      const broken = brokenEvents()
      for (const event of broken) storage.audit.note(event)
      storage.audit.note(anEvent({ clientId: 'after' }))
      await storage.audit.flush()
      assert.equal((await assertChained(storage)).length, broken.length + 1)
      assert.equal((await storage.audit.list({ clientId: 'after' }, undefined, 9)).length, 1)
    })

    it('chains 200 acts at once without a gap or a fork', async (t) => {
      const storage = await storageFor(t)
      const users = await atOnce(200, async (at) => {
        const user = aUser()
        await storage.users.create(user, [anEvent({ atMs: now + (at % 7), kind: 'user_added', userId: user.id })])
        return user.id
      })
      const entries = await assertChained(storage)
      assert.deepEqual(entries.map(({ userId }) => userId).sort(), users.sort())
    })

    it('has an entry for the one of 20 that won a race, and none for the others', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const grant = aGrant(user, client, { refresh: aChain(0) })
      const redeemed = await atOnce(20, (at) => storage.grants.redeem(grant, [anEvent({ details: { at } })]))
      const [entry, ...more] = await storage.audit.list({}, undefined, 10)
      assert.deepEqual([entry?.details, more.length], [{ at: redeemed.indexOf(true) }, 0])
      const rotated = await atOnce(20, () => storage.grants.rotate(grant.id, aChain(0), aChain(1), now, [anEvent()]))
      assert.equal(countOf(rotated, true), 1)
      assert.equal((await assertChained(storage)).length, 2)
    })

    it('has an entry for what every verb did, and none for what it did not do', async (t) => {
      const storage = await storageFor(t)
      const { users, clients, scopes, sessions, grants, authorizations, accessTokens, spentValues, keys } = storage
      const { pushedRequests, registrations } = storage
      const own = aClient()
      const registration = aClientRegistration({ clientId: own.id })
      const pushed = aPushedRequest()
      await pushedRequests.store(pushed)
      const user = aUser()
      const session = aSession(user)
      const { client, user: other } = await userAndClient(storage)
      const grant = aGrant(other, client)
      const scope = {
        name: 'read',
        displayName: null,
        description: null,
        resources: [],
        claims: [],
        purposes: {},
        localized: {},
        accessTokenType: null,
        createdAtMs: now,
      }
      const consent = { id: 'consent', userId: other.id, clientId: client.id, scopes: ['read'], createdAtMs: now }
      const key = aKey('sign', 'ES256')
      const end = { id: key.id, fromMs: null, expiresAtMs: now + 1 }
      const login = { provider: 'p', subject: 's', userId: 'external', createdAtMs: now }
      const external = aUser({ id: 'external' })
      const acts: Record<string, (events: ReturnType<typeof anEvent>[]) => Promise<unknown>> = {
        'users.create': (events) => users.create(user, events),
        'users.registerExternal': (events) => users.registerExternal(external, login, null, events),
        'sessions.delete': (events) => sessions.delete(session, events),
        'scopes.create': (events) => scopes.create(scope, events),
        'scopes.delete': (events) => scopes.delete('read', events),
        'authorizations.store': (events) => authorizations.store(consent, events),
        'authorizations.revoke': (events) => authorizations.revoke('consent', events),
        'grants.redeem': (events) => grants.redeem(grant, events),
        'grants.revoke': (events) => grants.revoke(grant.id, now, events),
        'accessTokens.revoke': (events) => accessTokens.revoke('jti', now, events),
        'spentValues.spend': (events) => spentValues.spend('once', now, events),
        'registrations.register': (events) => registrations.register(() => own, registration, null, now, events),
        'registrations.delete': (events) => registrations.delete(registration, events),
        'pushedRequests.complete': (events) => pushedRequests.complete(pushed.id, now, events),
        'keys.addFirst': (events) => keys.addFirst([key], events),
        'keys.rotate': (events) => keys.rotate([], [end], events),
        'clients.delete': (events) => clients.delete(client.id, events),
        'users.delete': (events) => users.delete(user.id, events),
      }
      for (const [verb, act] of Object.entries(acts)) {
        if (verb === 'sessions.delete') {
          await users.recordSignIn({ user }, () => ({
            outcome: 'in',
            session,
            events: [anEvent({ clientId: 'in' })],
          }))
        }
        const twice = [anEvent({ clientId: verb }), anEvent({ clientId: verb })]
        await act(twice)
        assert.equal((await storage.audit.list({ clientId: verb }, undefined, 9)).length, 2, verb)
        await act(twice)
        assert.equal((await storage.audit.list({ clientId: verb }, undefined, 9)).length, 2, `${verb}, done already`)
      }
      assert.equal((await storage.audit.list({ clientId: 'in' }, undefined, 9)).length, 1)
      await users.update(other.id, (at) => ({ ...at, roles: [] }), [anEvent({ clientId: 'update' })])
      await users.update(other.id, () => undefined, [anEvent({ clientId: 'update' })])
      assert.equal((await storage.audit.list({ clientId: 'update' }, undefined, 9)).length, 1)
      await assertChained(storage)
    })

    it('records a sign-in that changed nothing without a commit of its own, and what was noted by the time it is flushed', async (t) => {
      const storage = await storageFor(t)
      const user = await created(storage.users, aUser())
      await storage.users.recordSignIn({ user }, () => ({
        outcome: 'locked',
        events: [anEvent({ kind: 'sign_in_failed' })],
      }))
      storage.audit.note(anEvent({ kind: 'refusal' }))
      assert.deepEqual(await storage.audit.list({}, undefined, 9), [])
      await storage.audit.flush()
      assert.equal((await assertChained(storage)).length, 2)
    })

    it('records no more than 60 of a flood from one address, how many were not, and what others did', async (t) => {
      const storage = await storageFor(t)
      const { audit } = storage
      for (let at = 0; at < 10_000; at += 1)
        audit.note(anEvent({ kind: 'refusal', atMs: now + at, address: '192.0.2.1' }))
      audit.note(anEvent({ kind: 'refusal', atMs: now + 10_000, address: '192.0.2.2' }))
      audit.note(anEvent({ kind: 'consent_denied', atMs: now + 10_000, address: '192.0.2.1' }))
      await audit.flush()
      const entries = await audit.list({}, undefined, 1000)
      assert.equal(entries.length, 63)
      const summaries = entries.filter(({ kind }) => kind === 'not_recorded')
      assert.deepEqual(valuesOf(summaries, 'details'), [
        { count: 9940, networks: 1, most: ['192.0.2.1: 9940'], reason: 'too_many' },
      ])
      assert.equal(entries.filter(({ address }) => address === '192.0.2.2').length, 1)
      assert.equal(entries.filter(({ kind }) => kind === 'consent_denied').length, 1)
      await assertChained(storage)
    })

    it('records no more than 256 a second of a flood from everywhere', async (t) => {
      const { audit } = await storageFor(t)
      for (let at = 0; at < 10_000; at += 1) {
        audit.note(anEvent({ kind: 'refusal', atMs: now + at, address: `192.0.${at % 256}.${at >> 8}` }))
      }
      await audit.flush()
      const entries = await audit.list({}, undefined, 1000)
      const recorded = entries.filter(({ kind }) => kind === 'refusal').length
      const counts = entries.filter(({ kind }) => kind === 'not_recorded').map(({ details }) => Number(details.count))
      assert.equal(recorded, 256)
      assert.deepEqual(counts, [10_000 - recorded])
    })

    it('stores no more than 512 bytes of a refusal, and says that it was cut', async (t) => {
      const storage = await storageFor(t)
      const sent = {
        'beyond ASCII': {
          reason: 'redirect_uri_unregistered',
          error: 'invalid_request',
          received: '\u202e测'.repeat(1000),
        },
        'in a list': { reason: 'scope_unknown', id: 'ID2051', requested: Array(100).fill('ﬃ'.repeat(100)) },
        'in many members': Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`member${at}`, 'x'.repeat(99)])),
      }
      for (const details of Object.values(sent)) {
        await storage.audit.append([anEvent({ kind: 'refusal', userId: null, clientId: 'client', details })])
      }
      const entries = await assertChained(storage)
      assert.equal(entries.length, 3)
      for (const { details, ...others } of entries) {
        const numbers = 2 * 8
        const texts = Object.values(others).filter((value) => typeof value === 'string')
        const bytes = [...texts, details].reduce((sum, text) => sum + Buffer.byteLength(text), numbers)
        assert.ok(bytes <= 512, `${bytes} bytes: ${details}`)
        assert.match(details, /\(\d+ characters\)|and \d+ more|"cut":true/)
      }
      assert.equal(JSON.parse(entries[0]?.details ?? '').reason, 'redirect_uri_unregistered')
    })

    it('keeps refusals in chains of their own, of which the oldest go without the others', async (t) => {
      const storage = await storageFor(t)
      const { audit, spentValues } = storage
      const kinds = ['refusal', 'sign_in', 'sign_in_failed', 'tokens_issued'] as const
      for (const [at, kind] of kinds.entries()) {
        await spentValues.spend(nextId(), now, [anEvent({ kind, atMs: now + at, details: {} })])
      }
      await spentValues.spend(nextId(), now, [
        anEvent({ kind: 'sign_in_failed', atMs: now + 9 }),
        anEvent({ kind: 'locked_out', atMs: now + 9 }),
      ])
      const entries = await assertChained(storage)
      const inRefusals = entries.filter(({ writer }) => /^r[0-9a-f]{15}$/.test(writer)).map(({ kind }) => kind)
      assert.deepEqual(inRefusals, ['refusal', 'sign_in_failed', 'sign_in_failed'])
      assert.equal(entries.filter(({ writer }) => /^[0-9a-f]{16}$/.test(writer)).length, 3)
      assert.equal(await audit.countRefusals(), 3)
      assert.deepEqual(valuesOf(await audit.stored(undefined, 9, 'refusals'), 'kind'), inRefusals)
      assert.equal(
        (await audit.newest({}, 9, 'refusals')).length,
        (await audit.stored(undefined, 9, 'refusals')).length,
      )
      assert.deepEqual(await audit.newest({ kind: 'not_a_kind' }, 9, 'refusals'), [])
      assert.equal(await audit.timeOf(now, 1, 'refusals'), now + 2)
      assert.equal(await audit.cut(now + 3, 'refusals'), 2)
      const left = (await audit.stored(undefined, 9)).map(({ kind }) => kind)
      assert.deepEqual(left.sort(), ['locked_out', 'sign_in', 'sign_in_failed', 'tokens_issued'])
    })

    it('never lets time run backwards in a chain', async (t) => {
      const storage = await storageFor(t)
      for (const atMs of [now + 5, now + 3, now + 9]) await storage.audit.append([anEvent({ atMs })])
      const entries = await assertChained(storage)
      assert.deepEqual(
        entries.map(({ atMs }) => atMs - now),
        [5, 5, 9],
      )
    })

    it('pages through the trail newest first, from key to key, whatever is appended meanwhile', async (t) => {
      const { audit } = await storageFor(t)
      const at = (second: number, more: Partial<AuditEvent> = {}) => anEvent({ atMs: now + second * 1000, ...more })
      await audit.append([at(1), at(2), at(2, { kind: 'sign_in', userId: 'user-2' }), at(3), at(4)])
      const first = await audit.page({}, undefined, 2)
      await audit.append([at(5)])
      const second = await audit.page({}, first.next, 2)
      const third = await audit.page({}, second.next, 2)
      const seconds = [first, second, third].map(({ entries }) => entries.map(({ atMs }) => (atMs - now) / 1000))
      assert.deepEqual([seconds, third.next], [[[4, 3], [2, 2], [1]], undefined])
      const period = await audit.page({ sinceMs: now + 2000, untilMs: now + 3000 }, undefined, 60)
      assert.equal(period.entries.length, 3)
      const found = await audit.page({ kind: 'sign_in', userId: 'user-2', sinceMs: now }, undefined, 1)
      assert.deepEqual([found.entries.length, found.next], [1, undefined])
      assert.deepEqual((await audit.page({ clientId: 'none' }, undefined, 500)).entries, [])
    })

    it('finds several kinds, and leaves out what a client causes all the time but not what failed or changed there', async (t) => {
      const { audit } = await storageFor(t)
      const kinds = ['sign_in', 'tokens_issued', 'token_revoked', 'refusal', 'client_changed'] as const
      const clients = ['console', 'shop', null]
      await audit.append(
        clients.flatMap((clientId) => kinds.map((kind, at) => anEvent({ atMs: now + at, kind, clientId }))),
      )
      const found = async (filter: AuditFilter) => {
        const { entries } = await audit.page(filter, undefined, 500)
        const followed: string[] = []
        await following(audit, new Position(now), filter)(now, (one) => followed.push(`${one.clientId} ${one.kind}`))
        const paged = entries.map(({ clientId, kind }) => `${clientId} ${kind}`).sort()
        const listed = (await audit.list(filter, undefined, 500)).map(({ clientId, kind }) => `${clientId} ${kind}`)
        assert.deepEqual([listed.sort(), followed.sort()], [paged, paged])
        return paged
      }
      const both = [
        'console refusal',
        'console sign_in',
        'null refusal',
        'null sign_in',
        'shop refusal',
        'shop sign_in',
      ]
      assert.deepEqual(await found({ kind: ['sign_in', 'refusal'] }), both)
      assert.equal((await found({ kind: 'sign_in' })).length, 3)
      const apart = await found({ withoutClientId: 'console' })
      assert.deepEqual(
        apart.filter((one) => one.startsWith('console')),
        ['console client_changed', 'console refusal'],
      )
      assert.equal(apart.length, 12)
      await audit.append([
        anEvent({
          atMs: now,
          kind: 'refusal',
          clientId: 'console',
          details: { reason: 'login_required', id: 'ID2015' },
        }),
      ])
      assert.deepEqual(await found({ withoutClientId: 'console' }), apart)
      assert.equal((await found({ clientId: 'console', kind: 'refusal' })).length, 2)
      const others = await found({ kind: ['sign_in', 'refusal'], withoutClientId: 'console' })
      assert.deepEqual(
        others,
        both.filter((one) => one !== 'console sign_in'),
      )
    })

    it('reads a bounded part of the trail for a page with filters, and the next page goes on there', async (t) => {
      const { audit } = await storageFor(t)
      await audit.append([anEvent({ kind: 'sign_in' })])
      const others = Array.from({ length: scannedAtMost }, () => anEvent({ atMs: now + 1, details: {} }))
      for (let at = 0; at < others.length; at += 4000) await audit.append(others.slice(at, at + 4000))
      const first = await audit.page({ kind: 'sign_in' }, undefined, 50)
      assert.deepEqual([first.entries.length, first.next?.atMs], [0, now + 1])
      const second = await audit.page({ kind: 'sign_in' }, first.next, 50)
      assert.deepEqual([second.entries.length, second.next], [1, undefined])
    })

    it('lists by time, kind, user, client and trace id, in portions', async (t) => {
      const { audit } = await storageFor(t)
      const kinds = ['sign_in', 'refusal', 'tokens_issued'] as const
      await audit.append(
        Array.from({ length: 30 }, (_, at) =>
          anEvent({
            atMs: now + at,
            kind: kinds[at % 3] ?? 'refusal',
            userId: `u${at % 2}`,
            clientId: `c${at % 5}`,
            traceId: `t${at}`,
          }),
        ),
      )
      const count = async (filter: Parameters<typeof audit.list>[0]) =>
        (await audit.list(filter, undefined, 100)).length
      assert.equal(await count({}), 30)
      assert.equal(await count({ sinceMs: now + 10, untilMs: now + 19 }), 10)
      assert.equal(await count({ kind: 'refusal' }), 10)
      assert.equal(await count({ userId: 'u1', clientId: 'c2' }), 3)
      // Found by the index, and without it.
      assert.equal(await count({ traceId: 't4' }), 1)
      assert.equal(await count({ traceId: 't4', kind: 'refusal' }), 1)
      assert.equal(await count({ traceId: 't3' }), 1)
      assert.equal(await count({ traceId: 't3', kind: 'refusal' }), 0)
      assert.equal(await count({ traceId: 'unknown' }), 0)
      const seen: AuditEntry[] = []
      for (let last: AuditEntry | undefined; ; ) {
        const portion = await audit.list({ kind: 'sign_in' }, last, 4)
        if (portion.length === 0) break
        seen.push(...portion)
        last = portion.at(-1)
      }
      assert.deepEqual(
        valuesOf(seen, 'traceId'),
        Array.from({ length: 10 }, (_, at) => `t${at * 3}`),
      )
    })

    it('knows the end of every chain, and removes whole beginnings', async (t) => {
      const { audit } = await storageFor(t)
      await audit.append([0, 1, 1, 2].map((after) => anEvent({ atMs: now + after })))
      const [tail, ...others] = await audit.tails(now, now + 100)
      const entries = await audit.stored(undefined, 10)
      assert.deepEqual([tail?.seq, tail?.hash, others.length], [4, entries.at(-1)?.hash, 0])
      assert.equal((await audit.tails(now, now + 2))[0]?.seq, 3)
      assert.deepEqual([await audit.timeOf(now, 3), await audit.timeOf(now, 4)], [now + 2, undefined])
      assert.equal(await audit.cut(now + 2), 3)
      assert.equal((await audit.stored(undefined, 10)).length, 1)
    })

    it('takes one checkpoint of each number', async (t) => {
      const { audit } = await storageFor(t)
      assert.equal(await audit.lastCheckpoint(), undefined)
      const added = await atOnce(10, (at) => audit.addCheckpoint({ number: 1, atMs: now + at, statement: `s${at}` }))
      assert.equal(countOf(added, true), 1)
      await audit.addCheckpoint({ number: 2, atMs: now, statement: 'second' })
      assert.deepEqual(await audit.lastCheckpoint(), { number: 2, atMs: now, statement: 'second' })
      assert.equal((await audit.checkpoints(0, 10))[0]?.statement, `s${added.indexOf(true)}`)
      assert.equal((await audit.checkpoints(1, 10)).length, 1)
    })
  })
}

/** Events as no type allows them, and one that is only too large. */
function brokenEvents(): AuditEvent[] {
  const cyclic: Record<string, unknown> = { grant: 'kept' }
  cyclic.self = cyclic
  const throwing = (member: string) =>
    Object.defineProperty({ grant: 'kept' }, member, {
      enumerable: true,
      get() {
        throw new Error('not to be read')
      },
    })
  const changes: Record<string, unknown>[] = [
    { address: undefined },
    { address: 4711 },
    { traceId: Symbol('trace') },
    { userId: 'a\ud800\0\n' },
    { atMs: undefined },
    { atMs: Number.NaN },
    { atMs: 0.5 },
    { details: cyclic },
    { details: throwing('secret') },
    { details: { grant: 'kept', big: 10n } },
    { details: { grant: 'kept', toJSON: () => 'text' } },
    { details: { grant: 'kept', toJSON: () => assert.fail('not to be called') } },
    { details: undefined },
    { details: null },
    { details: new Proxy({}, { ownKeys: () => assert.fail('not to be listed') }) },
    { details: { grant: 'kept', long: 'x'.repeat(1_000_000) } },
    { details: { grant: 'kept', list: Array.from({ length: 100_000 }, (_, at) => `item ${at}`) } },
    { kind: 'no\nkind' },
  ]
  const events = changes.map((change) => ({ ...anEvent({ kind: 'code_replayed' }), ...change }) as AuditEvent)
  return [...events, throwing('kind') as unknown as AuditEvent, undefined as unknown as AuditEvent]
}

function withoutPlace({ writer, seq, hash, ...event }: AuditEntry) {
  assert.ok(writer && seq > 0 && hash)
  return event
}

/** Asserts that every writer's entries are numbered from 1 and chained; resolves to all entries. */
export async function assertChained({ audit }: Pick<Storage, 'audit'>): Promise<StoredAuditEntry[]> {
  const entries = await audit.stored(undefined, 100_000)
  const tails = new Map<string, StoredAuditEntry>()
  for (const entry of entries) {
    const tail = tails.get(entry.writer)
    assert.equal(entry.seq, (tail?.seq ?? 0) + 1)
    assert.equal(entry.hash, hashOf(tail?.hash ?? '', entry))
    tails.set(entry.writer, entry)
  }
  assert.ok(entries.length > 0)
  return entries
}
