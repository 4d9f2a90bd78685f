import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClaimShape } from '../../src/protocol/claims/shapes.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { Grant } from '../../src/protocol/grant/grant.ts'
import type { ClientFilter } from '../../src/storage/port/clients.ts'
import { IdempotencyKeyTaken } from '../../src/storage/port/idempotency.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { LastAdministrator } from '../../src/storage/port/users.ts'
import type { Group } from '../../src/users/groups.ts'
import { changeRole, type KnownRoles } from '../../src/users/role-changes.ts'
import type { Role } from '../../src/users/roles.ts'
import type { User } from '../../src/users/user.ts'
import { assertNone, valuesOf } from '../support/values.ts'
import {
  aChain,
  aClient,
  aClientRegistration,
  aGrant,
  anAuthorization,
  anEvent,
  aScope,
  aSession,
  asRequesting,
  atOnce,
  aUser,
  consented,
  countOf,
  created,
  nextId,
  now,
  redeemed,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function clientContract(storageFor: StorageFor): void {
  describe('clients', () => {
    it('finds those with an address after a sign-out, but for clients that anybody could have registered', async (t) => {
      const { clients } = await storageFor(t)
      const uri = 'https://app.example/out?a="b"'
      const postLogoutRedirectUris = ['https://app.example/', uri]
      const made = (['operator', 'token', 'open', 'document'] as const).map((registration) =>
        aClient({ id: registration, postLogoutRedirectUris, metadata: { ...defaultClientMetadata, registration } }),
      )
      for (const client of [...made, aClient({ id: 'other' })]) await clients.create(client)
      assert.deepEqual((await clients.findByLogoutUri(uri)).map(({ id }) => id).sort(), ['operator', 'token'])
      for (const unknown of ['https://app.example', 'https://app.example/out']) {
        assert.deepEqual(await clients.findByLogoutUri(unknown), [])
      }
    })

    it('tells the shapes that clients have, wherever they are among them', async (t) => {
      const { clients } = await storageFor(t)
      const named = async () => [...(await clients.shapes())].sort()
      const shaped = (id: string, claim_shape: ClaimShape) =>
        clients.create(
          aClient({ id, name: '"claim_shape":"aspnet"', metadata: { ...defaultClientMetadata, claim_shape } }),
        )
      assert.deepEqual(await named(), [])
      await shaped('a', 'plain')
      assert.deepEqual(await named(), [])
      // More than one reading looks at.
      await clients.createAll(Array.from({ length: 1001 }, (_, at) => aClient({ id: `b${at}` })))
      await shaped('z', 'keycloak')
      assert.deepEqual(await named(), ['keycloak'])
      await shaped('0', 'aspnet')
      assert.deepEqual(await named(), ['aspnet', 'keycloak'])
      await clients.update('z', (client) => ({ ...client, metadata: defaultClientMetadata }))
      assert.deepEqual(await named(), ['aspnet'])
    })

    it('finds the clients whose scripts have origins, however many others there are', async (t) => {
      const { clients } = await storageFor(t)
      const having = (id: string, allowed_origins: readonly string[]) =>
        aClient({ id, name: '"allowed_origins":[', metadata: { ...defaultClientMetadata, allowed_origins } })
      const listed = Array.from({ length: 201 }, (_, at) => having(`b${at}`, [`https://b${at}.example`]))
      await clients.createAll([...listed, having('a', []), having('c', ['https://c.example', 'https://b0.example'])])
      const found = await clients.webOrigins()
      assert.equal(found.length, 202)
      assert.deepEqual(found.find(({ id }) => id === 'c')?.origins, ['https://c.example', 'https://b0.example'])
      await clients.update('c', (client) => ({ ...client, metadata: defaultClientMetadata }))
      assert.equal((await clients.webOrigins()).length, 201)
    })

    it('leaves out of a page what a part of the id or name, or a scope, says nothing of', async (t) => {
      const { clients } = await storageFor(t)
      const names = ['Orders App', 'İstanbul ORDERS', '100%_\\Sure', 'Ärger']
      for (const [at, name] of names.entries())
        await clients.create(
          aClient({
            id: `Client-${at}`,
            name,
            scopes: at === 0 ? ['a', 'a.b'] : ['a.b'],
            metadata: { ...defaultClientMetadata, id_token_signed_response_alg: at === 2 ? 'EdDSA' : null },
          }),
        )
      const found = async (among: ClientFilter, after = '') =>
        (await clients.page(after, among)).map(({ id }) => Number(id.at(-1)))
      for (const [text, ids] of [
        ['oRDERS', [0, 1]],
        ['İst', [1]],
        ['%_\\s', [2]],
        ['_', [2]],
        ['ä', [0, 1, 2, 3]],
        ['CLIENT-3', [3]],
        ["'", []],
      ] as const) {
        assert.deepEqual(await found({ text }), ids, text)
      }
      assert.deepEqual(await found({ text: 'client' }, 'Client-1'), [2, 3])
      assert.deepEqual(await found({ scope: 'a' }), [0])
      assert.deepEqual(await found({ scope: 'a.b', text: 'orders' }), [0, 1])
      assert.deepEqual(await found({ algorithm: 'EdDSA' }), [2])
    })

    it('gives back every field of a client', async (t) => {
      const { clients } = await storageFor(t)
      const full = aClient()
      const bare = aClient({
        authentication: { method: 'none' },
        grantTypes: ['refresh_token'],
        consent: 'implicit',
        requirePkce: false,
        redirectUris: [],
        postLogoutRedirectUris: [],
        scopes: [],
      })
      assert.equal(await clients.create(full), true)
      assert.equal(await clients.create(bare), true)
      assert.deepEqual(await clients.find(full.id), full)
      assert.deepEqual(await clients.find(bare.id), bare)
      assert.equal(await clients.find('nobody'), undefined)
    })

    it('lists clients ascending by id', async (t) => {
      const { clients } = await storageFor(t)
      for (const id of ['b', 'a-b', 'ab', 'B', 'a_c']) await clients.create(aClient({ id }))
      const ids = (await clients.list()).map((client) => client.id)
      assert.deepEqual(ids, ['B', 'a-b', 'a_c', 'ab', 'b'])
    })

    it('creates several clients together, or none if one id is taken', async (t) => {
      const { clients, audit } = await storageFor(t)
      const [a, b, c] = ['a', 'b', 'c'].map((id) => aClient({ id }))
      assert.ok(a && b && c)
      assert.equal(await clients.createAll([a, b], [anEvent({ clientId: 'a' })]), true)
      assert.equal(await clients.createAll([c, b], [anEvent({ clientId: 'c' })]), false)
      assert.deepEqual(valuesOf(await clients.list(), 'id'), ['a', 'b'])
      assert.equal((await audit.list({}, undefined, 9)).length, 1)
    })

    it('registers an id once, however many try', async (t) => {
      const { clients } = await storageFor(t)
      const outcomes = await atOnce(10, (at) => clients.create(aClient({ id: 'demo', name: `n${at}` })))
      assert.equal(countOf(outcomes, true), 1)
      assert.equal((await clients.find('demo'))?.name, `n${outcomes.indexOf(true)}`)
    })

    it('changes a client on the version that the change was decided on, and leaves consents and grants', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const grant = await redeemed(storage.grants, aGrant(user, client, { authorizationId: consent.id }))
      const changed = { ...aClient(), id: 'another', createdAtMs: now + 5 }
      const updated = await storage.clients.update(client.id, () => changed)
      assert.deepEqual(updated, { ...changed, id: client.id, version: client.version + 1 })
      assert.deepEqual(await storage.clients.find(client.id), updated)
      assert.deepEqual(await storage.authorizations.list(user.id), [consent])
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual(
        [facts.client, facts.grant?.id, facts.authorizationStands],
        [asRequesting(updated as Client), grant.id, true],
      )
      assert.deepEqual(await storage.clients.update(client.id, () => undefined), updated)
      assert.equal(await storage.clients.update('nobody', (found) => found), undefined)
    })

    it('loses none of several changes at the same moment', async (t) => {
      const { clients } = await storageFor(t)
      const client = await created(clients, aClient({ redirectUris: [] }))
      await atOnce(10, (at) =>
        clients.update(client.id, (found) => ({ ...found, redirectUris: [...found.redirectUris, `https://${at}/`] })),
      )
      const found = await clients.find(client.id)
      assert.deepEqual([found?.redirectUris.length, found?.version], [10, client.version + 10])
    })

    it('removes with a client its consents and grants, so that its id may come again', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      await storage.authorizations.store(anAuthorization(user, client))
      const grant = await redeemed(storage.grants, aGrant(user, client))

      assert.equal(await storage.clients.delete(client.id), true)
      assert.equal(await storage.clients.delete(client.id), false)
      assert.equal(await storage.clients.find(client.id), undefined)
      await storage.clients.create({ ...client, name: 'Another' })
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.equal((await storage.clients.find(client.id))?.name, 'Another')
      assert.deepEqual(facts.client, asRequesting(client))
      assert.equal(facts.grant, undefined)
      assert.deepEqual(await storage.authorizations.list(user.id), [])
      assert.equal(await storage.accessTokens.isRevoked('jti', grant.id), true)
    })
  })

  describe('requests under a key', () => {
    const key = { id: 'key', bodyHash: 'hash', expiresAtMs: now + 10 }

    it('stores the key with the change, and of many requests at once only one changes anything', async (t) => {
      const storage = await storageFor(t)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) =>
          storage.keyed({ ...key, usedAtMs: now }).scopes.create(aScope(`raced-${at}`), [anEvent()]),
        ),
      )
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
      assert.equal(refused.length, 7)
      assert.ok(refused.every(({ reason }) => reason instanceof IdempotencyKeyTaken))
      assert.equal((await storage.scopes.list()).length, 1)
      assert.equal((await storage.audit.list({}, undefined, 10)).length, 1)
      assert.deepEqual(await storage.idempotency.find('key'), { ...key, answered: null })
      const answered = { status: 201, answer: '{"name":"x"}' }
      await storage.idempotency.complete(key, answered)
      await storage.idempotency.complete({ ...key, id: 'unused' }, answered)
      assert.deepEqual(await storage.idempotency.find('key'), { ...key, answered })
      assert.deepEqual(await storage.idempotency.find('unused'), { ...key, id: 'unused', answered })
      assert.equal(await storage.idempotency.find('other'), undefined)
      // After its time the key is as good as new, before and after it is swept.
      const again = { ...key, bodyHash: 'another', expiresAtMs: now + 30 }
      await assert.rejects(
        storage.keyed({ ...again, usedAtMs: now + 9 }).scopes.create(aScope('early')),
        IdempotencyKeyTaken,
      )
      assert.equal(await storage.keyed({ ...again, usedAtMs: now + 10 }).scopes.create(aScope('anew')), true)
      assert.deepEqual(await storage.idempotency.find('key'), { ...again, answered: null })
      await storage.sweep(now + 31, 100)
      assert.equal(await storage.idempotency.find('key'), undefined)
    })

    it('keeps the key for a verb that changes nothing or is refused, and takes it once for several changes', async (t) => {
      const storage = await storageFor(t)
      await storage.scopes.create(aScope('taken'))
      const keyed = storage.keyed({ ...key, usedAtMs: now })
      assert.equal(await keyed.scopes.create(aScope('taken')), false)
      assert.equal(await keyed.scopes.delete('unknown'), false)
      const none = await keyed.claimRules.addClients(
        () => [],
        () => [],
      )
      assert.deepEqual(none, [])
      assert.equal(await storage.idempotency.find('key'), undefined)
      assert.equal(await keyed.scopes.create(aScope('free')), true)
      assert.equal(await keyed.scopes.create(aScope('more')), true)
      const other = storage.keyed({ ...key, usedAtMs: now })
      await assert.rejects(
        other.scopes.update('free', (scope) => ({ ...scope, description: 'changed' })),
        IdempotencyKeyTaken,
      )
      await assert.rejects(other.audit.append([anEvent()]), IdempotencyKeyTaken)
    })
  })

  describe('the last administrator', () => {
    const roles = ['latchkey-admin']
    const free = { disabled: false, lockedUntilMs: null, lockoutBeganAtMs: null, deletionDueAtMs: null }
    const locked = (user: User): User => ({ ...user, disabled: true })

    it('is neither changed nor deleted unless forced, and others are', async (t) => {
      const { users } = await storageFor(t)
      const [only, other] = [aUser({ ...free, roles }), aUser({ ...free, roles: ['x'] })]
      const out = aUser({ ...free, roles, disabled: true })
      for (const user of [only, other, out]) await users.create(user)
      for (const change of [
        locked,
        (user: User) => ({ ...user, roles: ['x', 'latchkey-admins'] }),
        (user: User) => ({ ...user, deletionDueAtMs: now + 9 }),
      ]) {
        await assert.rejects(users.update(only.id, change), LastAdministrator)
      }
      await assert.rejects(users.delete(only.id), LastAdministrator)
      assert.equal((await users.update(only.id, (user) => ({ ...user, failedAttempts: 3 })))?.failedAttempts, 3)
      assert.equal(await users.delete(out.id), true)
      assert.equal(await users.delete(out.id), false)
      await users.update(other.id, (user) => ({ ...user, roles }))
      assert.equal((await users.update(only.id, locked))?.disabled, true)
      await assert.rejects(users.delete(other.id), LastAdministrator)
      assert.equal(await users.delete(other.id, [], { force: true }), true)
      assert.equal(await users.delete(only.id), true)
    })

    it('stays when administrators remove each other at once', async (t) => {
      const { users } = await storageFor(t)
      for (let round = 0; round < 5; round += 1) {
        const renamed = (user: User) => ({ ...locked(user), email: `${user.id}@example.org` })
        const two = [1, 2, 3].map(() => aUser({ ...free, roles }))
        for (const user of two) await users.create(user)
        const outcomes = await Promise.allSettled(
          two.map(({ id }, at) => {
            if (at === round % 3) return users.delete(id)
            return at === (round + 1) % 3 ? users.update(id, locked) : users.updateNames(id, renamed)
          }),
        )
        const kept = outcomes.filter((outcome) => outcome.status === 'rejected')
        assert.equal(kept.length, 1)
        assert.ok(kept[0]?.reason instanceof LastAdministrator)
        for (const { id } of two) await users.delete(id, [], { force: true })
      }
    })
  })

  describe('roles of a client', () => {
    const adding = (name: string) => (known: KnownRoles) =>
      changeRole({ name, members: {}, isNew: true, guarded: [], nowMs: now }, known)
    const others = [['described'], ['given'], ['of a group'], ['included']] as const

    for (const [how] of others) {
      it(`keep it from being deleted without them: one that is ${how}`, async (t) => {
        const { clients, roles, groups, users } = await storageFor(t)
        const shop = aClient({ id: 'shop' })
        await clients.createAll([shop, aClient({ id: 'shop2' })])
        await users.create(aUser({ roles: how === 'given' ? ['shop:x', 'shop2:x', 'shopper'] : ['shop2:x'] }))
        if (how === 'described') await roles.change(adding('shop:x'), [], 'shop')
        const all: Role = { name: 'all', description: null, createdAtMs: 1 }
        const after = { ...all, ...(how === 'included' && { includes: ['shop:x'] }) }
        await roles.create(after)
        const staff: Group = {
          ...{ id: 'staff', name: 'staff', parentId: null, description: null, createdAtMs: 1, version: 1 },
          roles: how === 'of a group' ? ['shop:x'] : [],
        }
        await groups.change(() => ({ changes: [{ id: 'staff', after: staff }] }))
        const named = { name: 'ClientHasRoles', roles: ['shop:x'] }
        await assert.rejects(clients.delete('shop', [anEvent()]), named)
        await assert.rejects(clients.delete('shop', [], undefined, { roles: ['shop:y'], nowMs: now }), named)
        assert.equal(await clients.delete('shop', [], shop.version + 1), false)
        assert.deepEqual(await clients.find('shop'), shop)
        assert.deepEqual(await clients.rolesOf('shop', 'shop2'), ['shop2:x', 'shop:x'])
        assert.equal(await clients.delete('shop', [], shop.version, { roles: ['shop:x'], nowMs: now }), true)
        assert.deepEqual(await clients.rolesOf('shop', 'shop2'), ['shop2:x'])
        assert.equal(await clients.delete('shop', []), false)
      })
    }

    it('are never added to a client that is deleted at the same time', async (t) => {
      const { clients, roles, registrations } = await storageFor(t)
      for (let round = 0; round < 30; round += 1) {
        const [id, name] = [`c${round}`, `c${round}:x`]
        const unusedUntilMs = round % 3 === 0 ? now + 10 : null
        const registration = aClientRegistration({ clientId: id, unusedUntilMs })
        if (round % 3 === 2) await clients.create(aClient({ id }))
        else await registrations.register(() => aClient({ id }), registration, null, now)
        const deletion = () => (round % 3 === 2 ? clients.delete(id) : registrations.delete(registration))
        const first = round % 2 === 0 ? undefined : deletion().catch((error: Error) => error.name)
        let deleting: Promise<unknown> | undefined
        // Begins between what the addition reads and what it commits.
        const decide = (known: KnownRoles) => {
          if (first === undefined) deleting ??= deletion().catch((error: Error) => error.name)
          return adding(name)(known)
        }
        // Meets the deletion at another place each time.
        for (let turns = 0; turns < round; turns += 1) await undefined
        const { problems } = await roles.change(decide, [], id)
        await Promise.all([first, deleting])
        const [isThere, isAdded] = [(await clients.find(id)) !== undefined, (await roles.find(name)) !== undefined]
        assert.equal(isThere, isAdded, `round ${round}`)
        assert.equal(problems === undefined, isAdded, `round ${round}`)
      }
      const asked = roles.change(adding('none:x'), [], 'none')
      assert.match((await asked).problems?.[0]?.message ?? '', /client none is not there/)
    })

    it('make a client that registered itself one that is used', async (t) => {
      const { clients, roles, registrations, sweep } = await storageFor(t)
      const client = aClient()
      const registration = aClientRegistration({ clientId: client.id, unusedUntilMs: now + 10 })
      await registrations.register(() => client, registration, null, now)
      const name = `${client.id}:x`
      await roles.change(adding(name), [], client.id)
      await sweep(now + 11, 100)
      assert.equal((await clients.find(client.id))?.id, client.id)
      await assert.rejects(registrations.delete(registration), { name: 'ClientHasRoles', roles: [name] })
      assert.equal(await registrations.delete(registration, [], { roles: [name], nowMs: now }), true)
      assert.equal(await roles.find(name), undefined)
    })
  })

  describe('the last administrator by groups and other roles', () => {
    const free = { disabled: false, lockedUntilMs: null, lockoutBeganAtMs: null, deletionDueAtMs: null }
    const locked = (user: User): User => ({ ...user, disabled: true })
    const group = (id: string, parentId: string | null, roles: readonly string[]): Group => ({
      ...{ id, name: id, parentId, description: null, roles, createdAtMs: 1, version: 1 },
    })
    const putting = (...groups: Group[]) => ({ changes: groups.map((after) => ({ id: after.id, after })) })
    const chief: Role = { name: 'chief', description: null, createdAtMs: 1, includes: ['latchkey-admin'] }

    it('keeps what makes them one: the membership, the group and its parent, the role and what it includes', async (t) => {
      const storage = await storageFor(t)
      const { users, groups, roles } = storage
      const only = aUser({ ...free, roles: ['x'] })
      await users.create(only)
      await roles.create(chief)
      await groups.change(() =>
        putting(group('board', null, ['chief']), group('inner', 'board', []), group('top', null, [])),
      )
      await groups.addMembers('inner', [only.id])
      await groups.addMembers('top', [only.id])
      const others: [string, () => Promise<unknown>][] = [
        ['lock', () => users.update(only.id, locked)],
        ['deletion', () => users.delete(only.id)],
        ['renaming', () => users.updateNames(only.id, (user) => ({ ...locked(user), email: 'x@example.org' }))],
        ['membership', () => groups.removeMember('inner', only.id)],
        ['roles of a group', () => groups.change(() => putting(group('board', null, [])))],
        ['parent', () => groups.change(() => putting(group('inner', null, [])))],
        ['group', () => groups.change(() => ({ changes: [{ id: 'inner', after: undefined }] }))],
        ['included', () => roles.change(() => ({ changes: [{ ...chief, includes: [] }] }))],
        ['role', () => roles.deleteEverywhere('chief', now)],
        ['file', () => storage.configuration.apply([{ kind: 'role', before: chief, after: undefined }], now)],
        [
          'person of a file',
          () => storage.configuration.apply([{ kind: 'user', before: only, after: undefined }], now),
        ],
      ]
      for (const [what, change] of others) await assert.rejects(change, LastAdministrator, what)
      // What takes nothing away that makes an administrator.
      assert.equal(await groups.removeMember('top', only.id), true)
      await groups.change(() => putting(group('top', null, ['y'])))
      await users.update(only.id, (user) => ({ ...user, roles: [] }))
      // As soon as somebody else is one, in whatever way, it may.
      const next = aUser({ ...free, roles: ['chief'] })
      await users.create(next)
      assert.equal(await groups.removeMember('inner', only.id), true)
      await assert.rejects(
        users.update(next.id, (user) => ({ ...user, roles: [] })),
        LastAdministrator,
      )
      await assert.rejects(roles.deleteEverywhere('chief', now), LastAdministrator)
      await roles.change(() => ({ changes: [{ ...chief, isDefault: true }] }))
      assert.equal(await users.delete(next.id), true)
      await assert.rejects(users.delete(only.id), LastAdministrator)
    })

    it('stays when a membership, a group, a role and a person go at once', async (t) => {
      const { users, groups, roles } = await storageFor(t)
      for (let round = 0; round < 5; round += 1) {
        const people = [1, 2, 3, 4].map((at) =>
          aUser({ ...free, roles: at === 4 ? ['latchkey-admin'] : at === 3 ? [`boss-${round}`] : [] }),
        )
        const [member, other, boss, own] = people as [User, User, User, User]
        for (const user of people) await users.create(user)
        const [one, two] = [`one-${round}`, `two-${round}`]
        await groups.change(() => putting(group(one, null, ['latchkey-admin']), group(two, null, ['latchkey-admin'])))
        await groups.addMembers(one, [member.id])
        await groups.addMembers(two, [other.id])
        await roles.create({ ...chief, name: `boss-${round}` })
        const outcomes = await Promise.allSettled([
          groups.removeMember(one, member.id),
          groups.change(() => putting(group(two, null, []))),
          roles.deleteEverywhere(`boss-${round}`, now),
          users.update(own.id, locked),
        ])
        const kept = outcomes.filter((outcome) => outcome.status === 'rejected')
        assert.deepEqual(
          kept.map(({ reason }) => reason instanceof LastAdministrator),
          [true],
        )
        for (const { id } of [member, other, boss, own]) await users.delete(id, [], { force: true })
      }
    })
  })

  describe('roles', () => {
    it('are described, counted and forgotten on exactly what was read', async (t) => {
      const { roles, users } = await storageFor(t)
      const role = { name: 'editor', description: null, createdAtMs: now }
      assert.equal(await roles.create(role), true)
      assert.equal(await roles.create({ ...role, description: 'again' }), false)
      await roles.create({ ...role, name: 'author' })
      assert.deepEqual(await roles.list(), [{ ...role, name: 'author' }, role])
      assert.equal(await roles.describe({ ...role, description: 'other' }, 'Edits'), false)
      assert.equal(await roles.describe(role, 'Edits'), true)
      const described = { ...role, description: 'Edits' }
      assert.deepEqual(await roles.find('editor'), described)
      await users.create(aUser({ roles: ['editor', 'reader'] }))
      await users.create(aUser({ roles: ['Editor', 'editors'] }))
      assert.equal((await roles.dependents('editor')).count, 1)
      assert.deepEqual(await roles.dependents('nobody'), { count: 0, users: [] })
      assert.equal(await roles.deleteEverywhere('editor', now), true)
      assert.equal(await roles.deleteEverywhere('editor', now), false)
      assert.equal(await roles.find('editor'), undefined)
      const left = (await users.list()).map((user) => [...user.roles])
      assert.deepEqual(left.sort(), [['Editor', 'editors'], ['reader']].sort())
    })

    it('count who has them over several windows of people, and name a hundred of them', async (t) => {
      const { roles, imports } = await storageFor(t)
      const people = Array.from({ length: 2100 }, (_, at) => aUser({ roles: at % 3 === 0 ? ['editor'] : ['editors'] }))
      for (let at = 0; at < people.length; at += 700) {
        const imported = people
          .slice(at, at + 700)
          .map((user) => ({ user, before: undefined, logins: [], isWeak: false }))
        const counts = { read: 700, created: 700, updated: 0, skipped: 0, failed: 0 }
        const progress = { id: `part ${at}`, kind: 'users', recordsRead: 700, counts, notKept: {}, startedAtMs: now }
        await imports.store({ before: undefined, progress, people: imported, failures: [] })
      }
      const { count, users: named } = await roles.dependents('editor')
      const editors = people.filter((user) => user.roles.includes('editor')).map((user) => user.name)
      assert.equal(count, 700)
      assert.equal(new Set(named).size, 100)
      assert.deepEqual(named, [...named].sort())
      assertNone(named.filter((name) => !editors.includes(name)))
    })
  })

  describe('scopes', () => {
    it('gives back every field, lists by name and finds the registered ones among many', async (t) => {
      const { scopes } = await storageFor(t)
      const [b, a] = [aScope('b'), aScope('a', { displayName: null, description: null, resources: [] })]
      assert.equal(await scopes.create(b), true)
      assert.equal(await scopes.create(a), true)
      // What no database stores, and PostgreSQL compares with nothing, is the name of no scope.
      assert.deepEqual(valuesOf(await scopes.findMany(['a', '\ud800', 'b\0']), 'name'), ['a'])
      assert.equal(await scopes.create(aScope('a')), false)
      assert.deepEqual(await scopes.list(), [a, b])
      assert.deepEqual(await scopes.findMany(['openid', 'b', 'b', "'", '"']), [b])
      assert.deepEqual(await scopes.findMany([]), [])
      assert.equal(await scopes.delete('a'), true)
      assert.equal(await scopes.delete('a'), false)
      assert.deepEqual(await scopes.list(), [b])
    })

    it('says which clients, consents and grants name a scope, to the letter', async (t) => {
      const { storage, user } = await userAndClient(await storageFor(t))
      const clients = [
        aClient({ id: 'b', scopes: ['read_x', 'openid'] }),
        aClient({ id: 'a', scopes: ['read_x'] }),
        aClient({ id: 'other', scopes: ['readyx', 'READ_X', 'read_x2', 'my:read_x'] }),
      ]
      for (const client of clients) {
        await storage.clients.create(client)
        await storage.authorizations.store(anAuthorization(user, client, { scopes: client.scopes }))
        const refresh = aChain(0, { expiresAtMs: now + 1 })
        await storage.grants.redeem(aGrant(user, client, { scopes: client.scopes, refresh }))
      }
      const find = storage.scopes.dependents
      assert.deepEqual(await find('read_x', now), { clients: ['a', 'b'], consents: 2, grants: 2 })
      assert.deepEqual(await find('read_x', now + 1), { clients: ['a', 'b'], consents: 2, grants: 0 })
      assert.deepEqual(await find('unused', now), { clients: [], consents: 0, grants: 0 })
    })

    it('changes a scope on exactly what was read, and lets one of many changes of the same state win', async (t) => {
      const { scopes } = await storageFor(t)
      await scopes.create(aScope('a', { displayName: null }))
      const created = (await scopes.findMany(['a']))[0]
      assert.deepEqual(await scopes.update('a', () => undefined), created)
      assert.equal(await scopes.update('unknown', (scope) => scope), undefined)
      const texts = Array.from({ length: 8 }, (_, at) => `text ${at}`)
      const won: string[] = []
      await Promise.all(
        texts.map(async (description) => {
          let decided = false
          await scopes.update('a', (scope) => {
            decided = scope.description === created?.description
            return decided ? { ...scope, description, displayName: 'A', name: 'other' } : undefined
          })
          if (decided) won.push(description)
        }),
      )
      assert.equal(won.length, 1)
      assert.deepEqual(await scopes.list(), [{ ...created, description: won[0], displayName: 'A' }])
    })

    it('deletes a scope with every mention of it, and leaves similar names', async (t) => {
      const { storage, user } = await userAndClient(await storageFor(t))
      await storage.scopes.create(aScope('x'))
      const lists = [['x'], ['x', 'b'], ['a', 'x'], ['a', 'x', 'xx', 'X'], ['xx', 'a x']]
      for (const [at, scopes] of lists.entries()) {
        const client = await created(storage.clients, aClient({ id: `c${at}`, scopes }))
        await storage.grants.redeem(aGrant(user, client, { scopes }))
        await storage.authorizations.store(anAuthorization(user, client, { scopes: [...scopes].sort() }))
      }
      const [scope] = await storage.scopes.findMany(['x'])
      assert.ok(scope)
      assert.equal(await storage.scopes.deleteEverywhere({ ...scope, description: 'another' }), false)
      assert.equal(await storage.scopes.deleteEverywhere(scope), true)
      assert.equal(await storage.scopes.deleteEverywhere(scope), false)
      const expected = [[], ['b'], ['a'], ['a', 'xx', 'X'], ['xx', 'a x']]
      const left = await storage.authorizations.list(user.id)
      for (const [at, scopes] of expected.entries()) {
        const client = await storage.clients.find(`c${at}`)
        assert.deepEqual([client?.scopes, client?.version], [scopes, at === 4 ? 3 : 4])
        const consent = left.find(({ clientId }) => clientId === `c${at}`)
        assert.deepEqual([...(consent?.scopes ?? [])].sort(), [...scopes].sort())
        if (client === undefined || at === 4) continue
        // A consent that lost a scope answers no request: the same scopes are consented to anew.
        const renewed = anAuthorization(user, client, { scopes: [...scopes].sort() })
        assert.deepEqual(await storage.authorizations.store(renewed), renewed)
      }
      const { consents, grants, clients } = await storage.scopes.dependents('x', now)
      assert.deepEqual([consents, grants, clients], [0, 0, []])
    })

    it('bears a request for a great many scopes', async (t) => {
      const { scopes } = await storageFor(t)
      await scopes.create(aScope('wanted'))
      const names = Array.from({ length: 30_000 }, (_, at) => `s${at}`)
      assert.equal((await scopes.findMany([...names, 'wanted'])).length, 1)
    })
  })

  describe('stored consents', () => {
    it('reads all that an authorization request is decided on', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const session = aSession(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      const [api, other] = [aScope('demo_api'), aScope('other_api')]
      for (const scope of [api, other, aScope('unasked')]) await storage.scopes.create(scope)
      const scopes = ['other_api', 'openid', 'demo_api']
      const consent = anAuthorization(user, client, { scopes: [...scopes].sort() })
      await storage.authorizations.store(consent)

      const facts = await storage.authorizations.findForRequest({
        clientId: client.id,
        scopes,
        sessionId: session.id,
      })
      assert.deepEqual(facts.client, client)
      assert.deepEqual(facts.signedIn, { session, user })
      assert.deepEqual(facts.authorization, consent)
      assert.deepEqual(
        [...facts.scopes].sort((a, b) => (a.name < b.name ? -1 : 1)),
        [api, other],
      )
    })

    it('reads what there is when the rest is missing', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      await storage.authorizations.store(anAuthorization(user, client, { scopes: [] }))
      const { version: catalogueVersion } = await storage.catalogue.now()
      const nothing = { client: undefined, scopes: [], signedIn: undefined, authorization: undefined, catalogueVersion }
      const find = storage.authorizations.findForRequest
      assert.deepEqual(await find({ clientId: 'x', scopes: ['x'], sessionId: 'x' }), nothing)
      // What no database stores is not looked for everywhere.
      const unstorable = await find({ clientId: '\0', scopes: ['\0'], sessionId: '\0' })
      assert.deepEqual({ ...unstorable, catalogueVersion }, nothing)
      assert.deepEqual(await find({ clientId: client.id, scopes: [], sessionId: null }), { ...nothing, client })
      const session = aSession(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      const unknownClient = await find({ clientId: 'x', scopes: [], sessionId: session.id })
      assert.deepEqual(unknownClient, { ...nothing, signedIn: { session, user } })
    })

    it('matches a consent only for exactly the same scope set, whatever its order [S2.6.2]', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const session = aSession(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      const consent = anAuthorization(user, client, { scopes: ['demo_api', 'openid'] })
      await storage.authorizations.store(consent)
      const consentFor = async (scopes: string[], clientId = client.id) =>
        (await storage.authorizations.findForRequest({ clientId, scopes, sessionId: session.id })).authorization
      assert.deepEqual(await consentFor(['openid', 'demo_api', 'openid']), consent)
      assert.equal(await consentFor(['openid']), undefined)
      assert.equal(await consentFor(['openid', 'demo_api', 'profile']), undefined)
      assert.equal(await consentFor(['openid demo_api']), undefined)
      const other = await created(storage.clients, aClient())
      assert.equal(await consentFor(['openid', 'demo_api'], other.id), undefined)
    })

    it('keeps one consent for a scope set, however often it is given', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const scopes = Array.from({ length: 200 }, (_, at) => `a_rather_long_scope_name_${1000 + at}`)
      const stored = await atOnce(10, () => storage.authorizations.store(anAuthorization(user, client, { scopes })))
      const standing = await storage.authorizations.list(user.id)
      assert.equal(standing.length, 1)
      for (const one of stored) assert.deepEqual(one, standing[0])
    })

    for (const [who, remove] of [
      ['user', (storage: Storage, user: User) => storage.users.delete(user.id)],
      ['client', (storage: Storage, _: User, client: Client) => storage.clients.delete(client.id)],
    ] as const) {
      it(`says that the ${who} has gone, also when that happens at the same moment`, async (t) => {
        const storage = await storageFor(t)
        for (let round = 0; round < 10; round += 1) {
          const { user, client } = await userAndClient(storage)
          const stores = atOnce(10, (at) => {
            const consent = anAuthorization(user, client, { scopes: [`scope${at}`] })
            return storage.authorizations.store(consent)
          })
          const [outcomes, removed] = await Promise.all([stores, remove(storage, user, client)])
          assert.equal(removed, true)
          for (const outcome of outcomes)
            assert.ok(typeof outcome === 'string' ? outcome === 'gone' : outcome.userId === user.id)
          assert.equal(await storage.authorizations.store(anAuthorization(user, client)), 'gone')
          assert.deepEqual(await storage.authorizations.list(user.id), [])
        }
      })
    }

    it('lists the consents of a user, oldest first, and forgets a revoked one', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const later = anAuthorization(user, client, { id: '0', scopes: ['a'], createdAtMs: now + 2 })
      const earlier = anAuthorization(user, client, { scopes: ['b'], createdAtMs: now + 1 })
      for (const consent of [later, earlier]) await storage.authorizations.store(consent)
      assert.deepEqual(await storage.authorizations.list(user.id), [earlier, later])
      assert.equal(await storage.authorizations.revoke(earlier.id), true)
      assert.equal(await storage.authorizations.revoke(earlier.id), false)
      assert.deepEqual(await storage.authorizations.list(user.id), [later])
      assert.deepEqual(await storage.authorizations.list(nextId()), [])
    })
  })
}

export async function userAndClient(storage: Storage) {
  const user = await created(storage.users, aUser())
  const client = await created(storage.clients, aClient())
  return { storage, user, client }
}

/** With a grant of theirs, redeemed. */
export async function userWithGrant(storage: Storage, changes: Partial<Grant> = {}) {
  const { user, client } = await userAndClient(storage)
  return { storage, user, client, grant: await redeemed(storage.grants, aGrant(user, client, changes)) }
}
