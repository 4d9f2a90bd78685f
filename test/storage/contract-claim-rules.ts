import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attributeDeletion } from '../../src/protocol/claims/attribute-deletion.ts'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import { conflictsFor } from '../../src/protocol/claims/known-rules.ts'
import type { Resource } from '../../src/protocol/claims/resource-rules.ts'
import { knownAmong, resourceProblems, scopeProblems } from '../../src/protocol/claims/rule-changes.ts'
import type { ClaimShape } from '../../src/protocol/claims/shapes.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import type { RuledChange } from '../../src/storage/port/claim-rules.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { aClient, aClientRegistration, aGroup, anAttribute, anEvent, aScope, atOnce, aUser, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const aResource = (identifier: string, change: Partial<Resource> = {}): Resource => ({
  identifier,
  claims: [{ claim: 'quote"d', from: 'constant:{"a":[1]}', in: null, as: 'auto' }],
  version: 1,
  ...change,
})
const aRule = { claim: 'department', from: 'attribute:department', in: null, as: 'auto' } as const

export function claimRuleContract(storageFor: StorageFor): void {
  describe('rules of claims', () => {
    it('of resources are stored, changed and taken away on the version of the catalogue', async (t) => {
      const { resources, audit } = await storageFor(t)
      const [b, a] = [aResource('urn:b'), aResource('urn:a')]
      for (const after of [b, a]) {
        await resources.change(() => ({ changes: [{ identifier: after.identifier, after }] }), [anEvent()])
      }
      assert.deepEqual(await resources.all(), {
        version: 2,
        known: new Map([
          ['urn:a', a],
          ['urn:b', b],
        ]),
      })
      const after = { ...a, claims: [aRule] }
      await resources.change(() => ({ changes: [{ identifier: 'urn:a', after }] }), [anEvent()])
      assert.deepEqual((await resources.all()).known.get('urn:a'), { ...after, version: 2 })
      await resources.change(() => ({ changes: [{ identifier: 'urn:a', after: undefined }] }), [anEvent()])
      assert.deepEqual([...(await resources.all()).known.keys()], ['urn:b'])
      assert.equal((await audit.list({}, undefined, 10)).length, 4)
    })

    it('of scopes raise the version of the catalogue, whichever way they change; other changes do not', async (t) => {
      const { scopes, resources } = await storageFor(t)
      const version = async () => (await resources.all()).version
      await scopes.create(aScope('plain', { claims: [], accessTokenType: null }))
      await scopes.update('plain', (scope) => ({ ...scope, description: 'Another' }))
      assert.equal(await version(), 0)
      await scopes.create(aScope('ruled'))
      assert.equal(await version(), 1)
      const changed = await scopes.update('ruled', (scope) => ({ ...scope, claims: [aRule] }))
      assert.deepEqual(changed?.claims, [aRule])
      assert.equal(await version(), 2)
      const [stored] = await scopes.findMany(['ruled'])
      assert.deepEqual(stored, changed)
      if (stored !== undefined) await scopes.deleteEverywhere(stored)
      assert.equal(await version(), 3)
      // The type of access tokens is kept by every process as well.
      await scopes.update('plain', (scope) => ({ ...scope, accessTokenType: 'JWT' }))
      assert.equal(await version(), 4)
      await scopes.update('plain', (scope) => ({ ...scope, accessTokenType: null }))
      assert.equal(await version(), 5)
    })

    it('of one scope are kept when two are added at the same time', async (t) => {
      const { scopes } = await storageFor(t)
      await scopes.create(aScope('a', { claims: [] }))
      await atOnce(6, (at) =>
        scopes.update('a', (scope) => ({ ...scope, claims: [...scope.claims, { ...aRule, claim: `c${at}` }] })),
      )
      const [stored] = await scopes.findMany(['a'])
      assert.deepEqual(stored?.claims.map(({ claim }) => claim).sort(), ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])
    })

    it('that cannot be in one token are never stored by changes at the same time, of scopes, clients and resources', async (t) => {
      const { scopes, clients, claimRules, resources } = await storageFor(t)
      const api = 'https://api.example/'
      for (const name of ['a', 'b']) await scopes.create(aScope(name, { claims: [], resources: [api] }))
      await clients.create(withRules(aClient({ id: 'shop', scopes: ['a'] })))
      const constant = (value: number): ClaimRule => ({ ...aRule, from: `constant:${value}`, in: ['access_token'] })
      for (let round = 0; round < 8; round += 1) {
        await Promise.all([
          ...['a', 'b'].map((name, at) => changeScope({ claimRules }, name, [constant(at)])),
          claimRules.changeClient('shop', (client, rules) => {
            const next = withRules({ ...client, scopes: ['a', 'b'] }, [constant(2)])
            return conflictsFor(next, rules).length === 0 ? next : undefined
          }),
          claimRules.change((stored) => {
            const before = stored.resources.get(api)
            const after = { identifier: api, claims: [constant(3)], version: before?.version ?? 0 }
            const isRefused = resourceProblems(after, stored).length > 0
            return isRefused ? {} : { changes: [{ kind: 'resource', before, after }] }
          }),
        ])
        const [all, known, client] = [await scopes.list(), (await resources.all()).known, await clients.find('shop')]
        const rules = knownAmong({ attributes: new Map(), scopes: all, resources: known })
        assert.deepEqual(conflictsFor(client as Client, rules), [])
        const stored = [...all, ...known.values(), (client as Client).metadata].flatMap(({ claims }) => claims)
        assert.ok(stored.length > 0)
        // The next round begins with none.
        for (const name of ['a', 'b']) await changeScope({ claimRules }, name, [])
        await claimRules.changeClient('shop', (one) => withRules({ ...one, scopes: ['a'] }))
        await resources.change(() => (known.has(api) ? { changes: [{ identifier: api, after: undefined }] } : {}))
      }
    })

    it('of a client that is registered while a scope gets rules are judged together', async (t) => {
      const { scopes, clients, claimRules, resources } = await storageFor(t)
      await scopes.create(aScope('a', { claims: [], resources: [] }))
      const added = await atOnce<unknown>(6, (at) =>
        at === 3
          ? changeScope({ claimRules }, 'a', [{ ...aRule, from: 'username' }])
          : claimRules.addClients(
              (rules) => {
                const one = withRules(aClient({ id: `c${at}`, scopes: ['a'] }), [{ ...aRule, from: 'id' }])
                return conflictsFor(one, rules).length === 0 ? [one] : []
              },
              () => [anEvent()],
            ),
      )
      assert.equal(added.length, 6)
      const rules = knownAmong({
        attributes: new Map(),
        scopes: await scopes.list(),
        resources: (await resources.all()).known,
      })
      for (const client of await clients.list()) assert.deepEqual(conflictsFor(client, rules), [])
      await clients.create(aClient({ id: 'taken' }))
      const taken = await claimRules.addClients(
        () => [aClient({ id: 'other' }), aClient({ id: 'taken' })],
        () => [],
      )
      assert.equal(taken, 'taken')
      assert.equal(await clients.find('other'), undefined)
    })

    it('of a client are judged with the scopes that are created with it, in one commit with them', async (t) => {
      const { scopes, clients, claimRules, audit } = await storageFor(t)
      const wanted = [aScope('profile', { claims: [] }), aScope('orders', { claims: [], accessTokenType: 'JWT' })]
      const add = (id: string, isRefused = false) =>
        claimRules.addClients(
          (rules, missing) => {
            assert.ok(wanted.every(({ name }) => rules.scopes.has(name)))
            assert.deepEqual(rules.stored.scopes.map(({ name }) => name).toSorted(), ['orders', 'profile'])
            made = missing.map(({ name }) => name)
            return isRefused ? [] : [aClient({ id, scopes: ['profile', 'orders'] })]
          },
          (_added, missing) => [anEvent(), ...missing.map(() => anEvent())],
          wanted,
        )
      let made: readonly string[] = []
      assert.deepEqual(await add('shop', true), [])
      assert.deepEqual([await scopes.list(), await clients.list(), await audit.list({}, undefined, 10)], [[], [], []])
      await clients.create(aClient({ id: 'taken' }))
      assert.equal(await add('taken'), 'taken')
      assert.deepEqual(await scopes.list(), [])
      assert.notEqual(await add('shop'), 'taken')
      assert.deepEqual([made, await scopes.list()], [['profile', 'orders'], wanted.toReversed()])
      assert.equal((await audit.list({}, undefined, 10)).length, 3)
      assert.notEqual(await add('other'), 'taken')
      assert.deepEqual(made, [])
      assert.equal((await audit.list({}, undefined, 10)).length, 4)
    })

    it('of clients that are created at once with the same scope: it is created once, and all of them are', async (t) => {
      const { scopes, clients, claimRules, audit } = await storageFor(t)
      const added = await atOnce<unknown>(8, (at) =>
        at % 4 === 3
          ? scopes.create(aScope('profile', { claims: [] }), [anEvent()])
          : claimRules.addClients(
              () => [aClient({ id: `c${at}`, scopes: ['profile'] })],
              (_added, missing) => [anEvent(), ...missing.map(() => anEvent())],
              [aScope('profile', { claims: [] })],
            ),
      )
      assert.equal(added.filter((one) => Array.isArray(one)).length, 6)
      assert.deepEqual([(await scopes.list()).length, (await clients.list()).length], [1, 6])
      assert.equal((await audit.list({}, undefined, 20)).length, 7)
    })

    it('are too long for the largest person that there is, whatever makes a person large', async (t) => {
      const { users, groups, roles, attributes, scopes, claimRules } = await storageFor(t)
      for (const name of ['note', 'department']) {
        const after = anAttribute(name, { type: 'text', many: false, choices: [], max: 20_000 })
        await attributes.change(() => ({ changes: [{ name, after }] }))
      }
      const parent = aGroup({ id: 'g', name: 'p'.repeat(90), roles: [] })
      const inside = Array.from({ length: 60 }, (_, at) =>
        aGroup({
          id: `g${at}`,
          name: `${at}`.padEnd(80, 'x'),
          parentId: 'g',
          roles: [`of-group-${at}`.padEnd(90, 'y')],
        }),
      )
      await groups.change(() => ({ changes: [parent, ...inside].map((after) => ({ id: after.id, after })) }))
      const included = Array.from({ length: 50 }, (_, at) => `included-${at}`.padEnd(100, 'z'))
      await roles.create({ name: 'wide', description: null, createdAtMs: 1, includes: included })
      const plain = { roles: ['clerk'], claims: {} }
      const people = {
        noted: aUser({ ...plain, name: 'noted', attributes: { note: 'n"ö'.repeat(1900) } }),
        less: aUser({ ...plain, name: 'less', attributes: { note: 'n'.repeat(6000), department: 'z'.repeat(9000) } }),
        member: aUser({ ...plain, name: 'member' }),
        holder: aUser({ ...plain, name: 'holder', roles: ['wide', 'a'.repeat(90), 'b'.repeat(90)] }),
        told: aUser({ ...plain, name: 'told', claims: { name: 'N'.repeat(5000) } }),
      }
      // More than one reading looks at, before and behind the others.
      for (let at = 0; at < 21; at += 1) {
        await Promise.all(
          Array.from({ length: 50 }, () => users.create(aUser({ ...plain, attributes: { note: 'few' } }))),
        )
        const [name] = Object.keys(people).slice(at / 5)
        if (at % 5 === 0) await users.create(people[name as keyof typeof people])
      }
      for (const { id } of inside) await groups.addMembers(id, [people.member.id])
      await scopes.create(aScope('a', { claims: [], resources: [] }))
      const scope = aScope('a', { claims: [], resources: [] })
      const metadata = { access_token_claims: 'minimal', claims: [] } as const
      const client = withRules(aClient({ id: 'shop', scopes: ['a'] }))
      const bare = { ...client, metadata: { ...client.metadata, ...metadata, access_token_format: 'jwt' as const } }
      const records = { scopes: [scope], resources: new Map(), clients: [bare] }
      const issuing = { issuer: 'https://id.example/', algorithm: 'ES256' }
      const longest = (from: string, as: ClaimRule['as'] = 'auto') => {
        const after = { ...scope, claims: [{ claim: 'c', from, in: ['access_token'], as } as const] }
        return claimRules.longerBy(records, [{ kind: 'scope', before: scope, after }], issuing)
      }
      assert.equal((await longest('attribute:note'))?.user, 'noted')
      assert.equal((await longest('attribute:note', 'joined'))?.user, 'noted')
      assert.equal((await longest('groups'))?.user, 'member')
      assert.equal((await longest('groups:names'))?.user, undefined)
      assert.equal((await longest('roles'))?.user, 'member')
      assert.equal((await longest('claim:name'))?.user, undefined)
      assert.equal((await longest('roles:shop'))?.user, undefined)
      assert.equal((await longest('id'))?.user, undefined)
      const found = await longest('attribute:note')
      assert.deepEqual(
        found?.leftOut.map(({ rule, owner }) => [rule.claim, owner]),
        [['c', { scope: 'a' }]],
      )
      assert.ok((found?.characters ?? 0) > 8192)
      for (const person of ['noted', 'less'] as const) {
        await users.update(people[person].id, (user) => ({ ...user, attributes: {} }))
      }
      assert.equal(await longest('attribute:note'), undefined)
    })

    it('are too long beside what the shape of a client says again, and named where it or roles of a client leave claims out', async (t) => {
      const { users, attributes, clients, scopes, claimRules } = await storageFor(t)
      const after = anAttribute('note', { type: 'text', many: false, choices: [], max: 20_000 })
      await attributes.change(() => ({ changes: [{ name: 'note', after }] }))
      const scope = aScope('a', { claims: [], resources: [] })
      await scopes.create(scope)
      const shaped = (id: string, claim_shape: ClaimShape) => {
        const { metadata, ...client } = withRules(aClient({ id, scopes: ['a'] }))
        return { ...client, metadata: { ...metadata, claim_shape, access_token_format: 'jwt' as const } }
      }
      const [kc, net] = [shaped('kc', 'keycloak'), shaped('net', 'aspnet')]
      const issuing = { issuer: 'https://id.example/', algorithm: 'ES256' }
      const holder = aUser({ name: 'holder', claims: {} })
      await users.create(holder)
      const has = (count: number, prefix: string, note: string) => {
        const roles = Array.from({ length: count }, (_, at) => `${prefix}${'r'.repeat(44)}-${at}`)
        return users.update(holder.id, (user) => ({ ...user, roles, attributes: { note } }))
      }
      const longest = async (client: Client, as: ClaimRule['as'] = 'auto') => {
        const ruled = { ...scope, claims: [{ claim: 'c', from: 'attribute:note', in: ['access_token'], as } as const] }
        const records = { scopes: [scope], resources: new Map(), clients: [client] }
        const found = await claimRules.longerBy(records, [{ kind: 'scope', before: scope, after: ruled }], issuing)
        return found?.user
      }
      await has(40, '', 'n'.repeat(1500))
      assert.deepEqual([await longest(net), await longest(kc)], ['holder', undefined])
      // Only `role` makes way, or the token is too long without the rule.
      await has(60, '', `"${'n'.repeat(1000)}"`)
      assert.deepEqual([await longest(kc, 'json'), await longest(net)], [undefined, undefined])

      const leaving = async () =>
        (await claimRules.leaving(issuing))
          .map(({ client, leftOut }) => [client, ...leftOut.map(({ rule }) => rule.claim)].join(' '))
          .sort()
      for (const one of [kc, net, shaped('with-a-longer-id', 'plain')]) await clients.create(one)
      await has(90, '', '')
      const longRole = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'
      assert.deepEqual(await leaving(), ['kc role', `net ${longRole}`])
      await clients.create(shaped('kc-with-a-longer-id', 'keycloak'))
      await has(90, 'kc:', '')
      assert.deepEqual(await leaving(), ['kc role'])
    })

    it('are measured in many kinds of tokens a few at a time, so that requests run between them', async (t) => {
      const { users, attributes, claimRules } = await storageFor(t)
      const after = anAttribute('note', { type: 'text', many: false, choices: [], max: 20_000 })
      await attributes.change(() => ({ changes: [{ name: 'note', after }] }))
      await users.create(aUser({ name: 'large', roles: [], claims: {}, attributes: { note: 'n'.repeat(2000) } }))
      const scopes = ['a', ...Array.from({ length: 40 }, (_, at) => `s${at}`)].map((name) =>
        aScope(name, { claims: [], resources: [] }),
      )
      const clients = scopes.slice(1).map(({ name }) => {
        const { metadata, ...client } = withRules(aClient({ scopes: ['a', name] }))
        return { ...client, metadata: { ...metadata, access_token_format: 'jwt' as const } }
      })
      // The bound of a text that is read as JSON is far above what a token has.
      const claims = [{ claim: 'c', from: 'attribute:note', in: ['access_token'], as: 'json' }] as const
      const [before] = scopes
      const change = { kind: 'scope', before, after: { ...aScope('a', { resources: [] }), ...before, claims } } as const
      let [inTurn, most, all] = [0, 0, 0]
      // It is read for each token that is made.
      const issuing = {
        issuer: 'https://id.example/',
        get algorithm() {
          if (inTurn === 0) setImmediate(() => (inTurn = 0))
          inTurn += 1
          all += 1
          most = Math.max(most, inTurn)
          return 'ES256'
        },
      }
      assert.equal(await claimRules.longerBy({ scopes, resources: new Map(), clients }, [change], issuing), undefined)
      // Once more for the name under which the answer is remembered.
      assert.equal(all, 2 * clients.length + 1)
      assert.ok(most <= 5, `${most}`)
    })

    it('are measured once for a change, however many clients register themselves meanwhile', async (t) => {
      const { users, attributes, scopes, clients, claimRules, registrations } = await storageFor(t)
      const note = anAttribute('note', { type: 'text', many: false, choices: [], max: 20_000 })
      await attributes.change(() => ({ changes: [{ name: 'note', after: note }] }))
      await users.create(aUser({ name: 'noted', attributes: { note: 'n'.repeat(9000) } }))
      const constant: ClaimRule = { ...aRule, claim: 'k', from: 'constant:1' }
      await scopes.create(aScope('ruled', { claims: [constant], resources: [] }))
      await scopes.create(aScope('a', { claims: [], resources: [] }))
      const { metadata } = aClient()
      const jwt = { ...metadata, access_token_format: 'jwt', claims: [] } as const
      await clients.create(aClient({ id: 'shop', scopes: ['a'], metadata: jwt }))
      const issuing = { issuer: 'https://id.example/', algorithm: 'ES256' }
      const register = (registration: 'open' | 'document' | 'token') => {
        const client = aClient({ scopes: ['a', 'ruled'], metadata: { ...jwt, registration } })
        return registrations.register(() => client, aClientRegistration({ clientId: client.id }), null, now)
      }
      const [during, found]: [object, unknown[]] = [{}, []]
      const meanwhile = [
        () => register('open'),
        () => register('document'),
        () => register('token'),
        () => clients.create(aClient({ scopes: ['a'], metadata: jwt })),
        async () => {},
      ]
      await claimRules.change(async (stored) => {
        const before = stored.scopes.find(({ name }) => name === 'a')
        const after = before && { ...before, claims: [{ ...aRule, from: 'attribute:note', in: ['access_token'] }] }
        if (before === undefined || after === undefined) return {}
        const changes = [{ kind: 'scope', before, after } as RuledChange]
        found.push(await claimRules.longerBy(stored, changes, issuing, during))
        await meanwhile[found.length - 1]?.()
        return { changes }
      })
      const [first, ...others] = found
      assert.equal((first as { user: string } | undefined)?.user, 'noted')
      assert.deepEqual(
        others.map((one) => one === first),
        [true, true, true, false],
      )
    })

    it('that read an attribute are deleted with it in one commit, or the attribute is not', async (t) => {
      const { scopes, attributes, claimRules, audit } = await storageFor(t)
      const attribute = anAttribute('department')
      await attributes.change(() => ({ changes: [{ name: 'department', after: attribute }] }))
      await scopes.create(aScope('a', { claims: [aRule], resources: [] }))
      // A rule that is added at the same time is refused, or goes with it.
      await Promise.all([
        claimRules.change(
          (stored) => ({ changes: attributeDeletion('department', stored).changes ?? [] }),
          [anEvent()],
        ),
        changeScope({ claimRules }, 'a', [aRule, { ...aRule, claim: 'other' }]),
      ])
      assert.deepEqual([...(await attributes.all()).known.keys()], [])
      assert.deepEqual(
        (await scopes.list()).map(({ claims }) => claims),
        [[]],
      )
      assert.equal((await audit.list({}, undefined, 10)).length, 1)
    })
  })
}

const withRules = (client: Client, claims: readonly ClaimRule[] = []): Client => ({
  ...client,
  metadata: { ...client.metadata, claims },
})

const changeScope = ({ claimRules }: Pick<Storage, 'claimRules'>, name: string, claims: readonly ClaimRule[]) =>
  claimRules.change((stored) => {
    const before = stored.scopes.find((one) => one.name === name)
    if (before === undefined) return {}
    const after = { ...before, claims }
    return scopeProblems(before, after, stored).length > 0 ? {} : { changes: [{ kind: 'scope', before, after }] }
  })
