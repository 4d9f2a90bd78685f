import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ImportBatch,
  type ImportedPerson,
  type ImportFinding,
  type ImportProgress,
  importKeptMs,
} from '../../src/storage/port/imports.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import type { ExternalLogin, User } from '../../src/users/user.ts'
import {
  aClient,
  aLogin,
  anAttribute,
  anEvent,
  aScope,
  aSession,
  aUser,
  created,
  nextId,
  now,
  someFactors,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

const counts = { read: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
const aProgress = (change: Partial<ImportProgress> = {}): ImportProgress => ({
  ...{ id: nextId(), kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now },
  ...change,
})
const anew = (user: User, change: Partial<ImportedPerson> = {}): ImportedPerson => ({
  ...{ user, before: undefined, logins: [], isWeak: false },
  ...change,
})
const withLogin = (user: User, login: ExternalLogin): ImportedPerson =>
  anew(user, { logins: [{ ...login, userId: user.id }] })
const batchOf = (people: readonly ImportedPerson[], change: Partial<ImportBatch> = {}): ImportBatch => ({
  ...{ before: undefined, progress: aProgress(), people, failures: [] },
  ...change,
})

const aFinding: ImportFinding = {
  ...{ kind: 'client', source: 'shop', member: 'enabled', severity: 'lost' },
  ...{ reason: 'The client shop is disabled.', command: 'latchkey client show shop' },
}

export function importContract(storageFor: StorageFor): void {
  describe('imports', () => {
    it('remember what the installation was filled from, and nothing else of the kind', async (t) => {
      const { imports } = await storageFor(t)
      assert.equal(await imports.source('keycloak'), undefined)
      const both = await Promise.all(['one', 'two'].map((name) => imports.rememberSource('keycloak', name, now)))
      assert.equal(new Set(both).size, 1)
      assert.equal(await imports.source('keycloak'), both[0])
      assert.equal(await imports.rememberSource('auth0', 'three', now), 'three')
      assert.equal(await imports.rememberSource('auth0', 'four', now), 'three')
    })

    it('take an address from whom an import brought with it, once another comes with it, and from nobody else', async (t) => {
      const { imports, users } = await storageFor(t)
      const shared = (email: string, name: string) =>
        anew(aUser({ name, email, emailConfirmed: false, sharesEmail: true, updatedAtMs: now }))
      const first = aUser({ email: 'both@acme.example', updatedAtMs: now, version: 1 })
      const own = await created(users, aUser({ email: 'own@acme.example', updatedAtMs: now - 1, version: 1 }))
      const others = [shared('Both@acme.example', 'second-of-both'), shared('own@acme.example', 'comes-with-own')]
      assert.equal((await imports.store(batchOf([anew(first), ...others]), [anEvent()])).outcome, 'stored')
      const [taken, kept] = [await users.find(first.id), await users.find(own.id)]
      assert.deepEqual([taken?.sharesEmail, taken?.emailConfirmed, taken?.version], [true, false, 2])
      assert.deepEqual(kept, own)
      assert.equal(await users.findForSignIn({ name: 'both@acme.example' }, []), undefined)
    })

    it('store people with their logins and factors, what was left out, and how far they are, with one audit entry', async (t) => {
      const storage = await storageFor(t)
      const [one, two] = [aUser(), aUser()]
      const factors = someFactors(one)
      const failures = [
        { record: 3, line: 4, reason: 'one' },
        { record: 5, line: 9, reason: 'two', place: { table: 'a', key: 'b' }, isThere: true as const },
        { record: 6, line: 10, reason: '', findings: [aFinding] },
      ]
      const first = anew(one, { factors: { next: factors, before: undefined }, logins: [aLogin(one)], isWeak: true })
      const lost = [{ member: 'attributes.a', reason: 'a is not declared.', command: 'c', isMany: true, people: 2 }]
      const batch = batchOf([first, anew(two)], { failures, progress: aProgress({ notKept: { b: 1 }, lost }) })
      assert.deepEqual(await storage.imports.store(batch, [anEvent({ kind: 'user_added' })]), { outcome: 'stored' })
      assert.deepEqual(await storage.users.find(one.id), one)
      assert.deepEqual(await storage.users.find(two.id), two)
      assert.deepEqual(await storage.secondFactors.find(one.id), { ...factors, version: 1 })
      const { provider, subject } = aLogin(one)
      assert.equal((await storage.externalLogins.list(one.id)).length, 1, `${provider} ${subject}`)
      assert.deepEqual(await storage.imports.find(batch.progress.id), batch.progress)
      assert.deepEqual(await storage.imports.failures(batch.progress.id), failures)
      assert.equal((await storage.audit.list({ kind: 'user_added' }, undefined, 10)).length, 1)
      assert.equal(await storage.weakPasswords.count(), 1)
      await storage.imports.end(batch.progress.id)
      assert.equal(await storage.imports.find(batch.progress.id), undefined)
      assert.deepEqual(await storage.imports.failures(batch.progress.id), [])
    })

    it('keep consents until both the person and the client are there, for thirty days, and settle each once', async (t) => {
      const storage = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      const consent = { userId: user.id, clientId: client.id, scopes: ['openid', 'profile'], isByOperator: true }
      const nobodys = { ...consent, userId: nextId() }
      await storage.imports.store(batchOf([], { consents: [consent, nobodys] }))
      assert.deepEqual(await storage.imports.readyConsents(now), [])
      await storage.imports.store(batchOf([anew(user)]))
      assert.deepEqual(await storage.imports.readyConsents(now), [])
      await created(storage.clients, client)
      assert.deepEqual(await storage.imports.readyConsents(now), [consent])
      assert.deepEqual(await storage.imports.readyConsents(now + importKeptMs), [])
      const { isByOperator: _, ...given } = consent
      const authorization = { id: nextId(), ...given, byOperator: true as const, createdAtMs: now }
      assert.equal(await storage.imports.settleConsent(consent, authorization), true)
      assert.equal(await storage.imports.settleConsent(consent, authorization), false)
      assert.deepEqual(await storage.authorizations.list(user.id), [authorization])
      assert.deepEqual(await storage.imports.readyConsents(now), [])
      assert.equal(await storage.imports.settleConsent(nobodys, undefined), true)
    })

    it('forget consents that nobody came for within thirty days', async (t) => {
      const storage = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      const consent = { userId: user.id, clientId: client.id, scopes: ['openid'], isByOperator: false }
      const consents = [consent, { ...consent, scopes: ['openid', 'profile'] }]
      const progress = aProgress()
      await storage.imports.store(batchOf([], { progress, consents }))
      await storage.imports.end(progress.id)
      await storage.sweep(now + importKeptMs - 1, 100)
      await storage.imports.store(batchOf([anew(user)]))
      await created(storage.clients, client)
      assert.equal((await storage.imports.readyConsents(now)).length, 2)
      for (const left of [1, 0]) {
        await storage.sweep(now + importKeptMs, 1)
        assert.equal((await storage.imports.readyConsents(now)).length, left)
      }
    })

    it('forget consents of a person and of a client that are deleted: others may come with the same id', async (t) => {
      const storage = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      const [ofUser, ofClient] = [
        { userId: user.id, clientId: nextId(), scopes: ['openid'], isByOperator: true },
        { userId: nextId(), clientId: client.id, scopes: ['openid'], isByOperator: true },
      ]
      await storage.imports.store(batchOf([anew(user)], { consents: [ofUser, ofClient] }))
      await created(storage.clients, client)
      assert.equal(await storage.users.delete(user.id), true)
      assert.equal(await storage.clients.delete(client.id), true)
      await storage.imports.store(batchOf([anew(user), anew(aUser({ id: ofClient.userId }))]))
      await created(storage.clients, aClient({ id: ofUser.clientId }))
      await created(storage.clients, client)
      assert.deepEqual(await storage.imports.readyConsents(now), [])
    })

    it('name the first person who conflicts, and store nothing then', async (t) => {
      const storage = await storageFor(t)
      const there = await created(storage.users, aUser())
      const login = aLogin(there)
      await storage.imports.store(batchOf([withLogin(aUser(), login)]))
      const conflicting: readonly ImportedPerson[] = [
        anew(aUser({ id: there.id })),
        anew(aUser({ name: there.name })),
        anew(aUser({ email: there.email })),
        anew(aUser({ name: there.email })),
        anew(aUser({ email: there.name })),
        withLogin(aUser(), login),
        anew({ ...there, name: `${there.name}x` }, { before: { ...there, version: there.version + 5 } }),
      ]
      for (const person of conflicting) {
        const others = [aUser(), aUser(), aUser()]
        const free = others.map((user) => anew(user, { isWeak: true }))
        const batch = batchOf([...free.slice(0, 2), person, ...free.slice(2)])
        assert.deepEqual(await storage.imports.store(batch, [anEvent()]), { outcome: 'refused', at: 2 })
        for (const { id } of others) assert.equal(await storage.users.find(id), undefined)
        assert.equal(await storage.imports.find(batch.progress.id), undefined)
        assert.equal(await storage.weakPasswords.count(), 0)
      }
    })

    it('that two processes run go on in one of them', async (t) => {
      const storage = await storageFor(t)
      const progress = aProgress({ recordsRead: 1 })
      const next = { ...progress, recordsRead: 2 }
      assert.deepEqual(await storage.imports.store(batchOf([], { progress })), { outcome: 'stored' })
      const two = [aUser(), aUser()].map((user) => batchOf([anew(user)], { before: progress, progress: next }))
      const outcomes = await Promise.all(two.map((batch) => storage.imports.store(batch)))
      assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['overtaken', 'stored'])
      const found = await Promise.all(two.map(({ people }) => storage.users.find(people[0]?.user.id ?? '')))
      assert.equal(found.filter((user) => user !== undefined).length, 1)
      assert.deepEqual(await storage.imports.store(batchOf([], { progress })), { outcome: 'overtaken' })
      const another = { ...next, startedAtMs: now + 1 }
      assert.deepEqual(await storage.imports.store(batchOf([], { before: next, progress: another })), {
        outcome: 'overtaken',
      })
    })

    it('name all people of a batch whose values cannot be stored, with the reason (claims and groups, section 1)', async (t) => {
      const { attributes, users, imports } = await storageFor(t)
      const text = { type: 'text', many: false, choices: [] } as const
      const declared = [anAttribute('number', { ...text, unique: true }), anAttribute('note', text)]
      await attributes.change(() => ({ changes: declared.map((after) => ({ name: after.name, after })) }))
      await users.create(aUser({ attributes: { number: 'N1' } }))
      const own = await created(users, aUser({ attributes: { number: 'N2' } }))
      const people = [
        anew(aUser({ attributes: { note: 'any', number: 'N3' } })),
        anew(aUser({ attributes: { gone: 'x' } })),
        anew(aUser({ attributes: { number: 'n1' } })),
        anew(aUser({ attributes: { number: 'n3' } })),
        anew({ ...own, attributes: { number: 'n2', note: 'new' } }, { before: own }),
        anew(aUser({ attributes: {} })),
      ]
      const { outcome } = await imports.store(batchOf(people))
      assert.equal(outcome, 'refused')
      const unfit = await imports.unfit(people)
      assert.deepEqual([...unfit].map(([at, { attribute, reason }]) => `${at} ${attribute} ${reason}`).sort(), [
        '1 gone undeclared',
        '2 number taken',
        '3 number taken',
      ])
      const fit = people.filter((_, at) => !unfit.has(at))
      assert.equal((await imports.unfit(fit)).size, 0)
      assert.deepEqual(await imports.store(batchOf(fit)), { outcome: 'stored' })
    })

    it('store clients and scopes with how far they are, and nothing if one was registered or changed meanwhile', async (t) => {
      const storage = await storageFor(t)
      const [scope, client, there] = [aScope(nextId()), aClient(), aClient()]
      await storage.clients.create(there)
      const stored = (await storage.clients.find(there.id)) ?? assert.fail()
      const added = (after: typeof client) => ({ kind: 'client', before: undefined, after }) as const
      const records = [{ kind: 'scope', before: undefined, after: scope } as const, added(client)]
      const first = batchOf([], { records })
      assert.deepEqual(await storage.imports.store(first), { outcome: 'stored' })
      assert.equal((await storage.scopes.findMany([scope.name])).length, 1)
      assert.equal((await storage.clients.find(client.id))?.id, client.id)
      const stale = { kind: 'client', before: { ...stored, version: 7 }, after: stored } as const
      for (const record of [added(there), stale]) {
        const other = aClient()
        const next = batchOf([], { records: [added(other), record], progress: aProgress() })
        assert.deepEqual(await storage.imports.store(next), { outcome: 'refused', at: -1 })
        assert.equal(await storage.imports.find(next.progress.id), undefined)
        assert.equal(await storage.clients.find(other.id), undefined)
      }
    })

    it('store no client or scope that was judged on rules that have changed since (claims and groups, section 3)', async (t) => {
      const storage = await storageFor(t)
      const { claimRules, imports, clients, scopes, resources } = storage
      const version = async () => (await resources.all()).version
      const ruled = aScope('ruled')
      await scopes.create(ruled)
      const plain = aScope('plain', { claims: [], resources: [] })
      const added = [
        { kind: 'client', before: undefined, after: aClient({ scopes: ['ruled'] }) },
        { kind: 'scope', before: undefined, after: plain },
      ] as const
      for (const record of added) {
        const batch = async () =>
          batchOf([], { records: [record], judgedOn: await claimRules.judging(), progress: aProgress() })
        const early = await batch()
        assert.deepEqual(early.judgedOn?.rules.stored.scopes.map(({ name }) => name).includes('ruled'), true)
        await scopes.update('ruled', (scope) => ({ ...scope, description: `${record.kind} meanwhile` }))
        assert.deepEqual(await imports.store(early), { outcome: 'outdated' })
        assert.equal(await imports.find(early.progress.id), undefined)
        assert.deepEqual([await clients.list(), await scopes.findMany(['plain'])], [[], []])
        const before = await version()
        const late = await batch()
        assert.deepEqual(await imports.store({ ...late, before: early.progress }), { outcome: 'overtaken' })
        assert.deepEqual(await imports.store(late), { outcome: 'stored' })
        assert.ok((await version()) > before)
        if (record.kind === 'client') await clients.delete(record.after.id)
      }
      assert.equal((await scopes.findMany(['plain'])).length, 1)
    })

    it('that did not end are forgotten 30 days after they began, with what they left out', async (t) => {
      const storage = await storageFor(t)
      const failures = [1, 2, 3].map((record) => ({ record, line: record, reason: 'a' }))
      const old = batchOf([], { progress: aProgress({ startedAtMs: now - importKeptMs }), failures })
      const young = batchOf([], { progress: aProgress({ startedAtMs: now - importKeptMs + 1 }), failures })
      for (const batch of [old, young]) await storage.imports.store(batch)
      // What was left out goes first, a few rows at a time.
      await storage.sweep(now, 2)
      assert.notEqual(await storage.imports.find(old.progress.id), undefined)
      await storage.sweep(now, 2)
      assert.equal(await storage.imports.find(old.progress.id), undefined)
      assert.deepEqual(await storage.imports.failures(old.progress.id), [])
      assert.deepEqual(await storage.imports.find(young.progress.id), young.progress)
      assert.equal((await storage.imports.failures(young.progress.id)).length, 3)
    })

    it('change people, and end the sessions of those who are locked', async (t) => {
      const storage = await storageFor(t)
      const before = await created(storage.users, aUser({ sessionsEndedAtMs: null }))
      const session = aSession(before)
      await storage.users.recordSignIn({ user: before }, () => ({ outcome: 'in', session }))
      const stored = (await storage.users.find(before.id)) ?? assert.fail()
      const user = { ...stored, name: `${before.name}-new`, email: `new-${before.email}`, sessionsEndedAtMs: now + 9 }
      const factors = { next: { ...noSecondFactors(user.id), recoveryHashes: ['a'] }, before: undefined }
      const batch = batchOf([anew(user, { before: stored, factors, logins: [aLogin(user)] })])
      assert.deepEqual(await storage.imports.store(batch), { outcome: 'stored' })
      assert.deepEqual(await storage.users.find(user.id), { ...user, version: stored.version + 1 })
      assert.equal(await storage.sessions.find(session.id), undefined)
      assert.deepEqual((await storage.secondFactors.find(user.id))?.recoveryHashes, ['a'])
    })
  })

  describe('weak password hashes', () => {
    const weak = async ({ imports }: Storage, hash: string | null = 'old') => {
      const user = aUser({ passwordHash: hash })
      await imports.store(batchOf([anew(user, { isWeak: true })]))
      return { userId: user.id, hash }
    }

    it('are replaced by their wrapped form, once, and with a new version', async (t) => {
      const storage = await storageFor(t)
      const { users, weakPasswords } = storage
      const one = await weak(storage)
      const before = await users.find(one.userId)
      assert.deepEqual(await weakPasswords.next(), [one])
      const outcomes = await Promise.all([weakPasswords.replace(one, 'new'), weakPasswords.replace(one, 'other')])
      assert.deepEqual(outcomes.sort(), [false, true])
      const after = await users.find(one.userId)
      assert.ok(['new', 'other'].includes(after?.passwordHash ?? ''))
      assert.equal(after?.version, (before?.version ?? 0) + 1)
      assert.deepEqual([await weakPasswords.count(), await weakPasswords.next()], [0, []])
    })

    it('are counted over any number of them, and no further than asked for', async (t) => {
      const { imports, weakPasswords } = await storageFor(t)
      const people = Array.from({ length: 2001 }, () => anew(aUser({ passwordHash: 'old' }), { isWeak: true }))
      for (let at = 0; at < people.length; at += 500) {
        await imports.store(batchOf(people.slice(at, at + 500)))
      }
      const counts = await Promise.all([undefined, 2001, 2000, 1000, 7, 0].map((most) => weakPasswords.count(most)))
      assert.deepEqual(counts, [2001, 2001, 2001, 1001, 8, 1])
    })

    it('that a sign-in replaced meanwhile stay as they are, and leave the queue on the next look', async (t) => {
      const storage = await storageFor(t)
      const { users, weakPasswords } = storage
      const one = await weak(storage)
      await users.update(one.userId, (user) => ({ ...user, passwordHash: 'own' }))
      assert.equal(await weakPasswords.replace(one, 'wrapped'), false)
      assert.equal((await users.find(one.userId))?.passwordHash, 'own')
      await weakPasswords.dismiss(one)
      assert.equal(await weakPasswords.count(), 1, 'what was read is not what is stored')
      await weakPasswords.dismiss({ ...one, hash: 'own' })
      assert.equal(await weakPasswords.count(), 0)
    })

    it('of people without a password or who were deleted leave the queue', async (t) => {
      const storage = await storageFor(t)
      const [none, gone] = [await weak(storage, null), await weak(storage)]
      assert.equal(await storage.weakPasswords.replace(none, 'x'), false)
      await storage.weakPasswords.dismiss(none)
      await storage.users.delete(gone.userId)
      assert.equal(await storage.weakPasswords.count(), 0)
    })
  })
}
