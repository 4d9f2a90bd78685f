import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attributeDeletion } from '../../src/protocol/claims/attribute-deletion.ts'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import { conflictsFor } from '../../src/protocol/claims/known-rules.ts'
import type { Resource } from '../../src/protocol/claims/resource-rules.ts'
import { knownAmong, resourceProblems, scopeProblems } from '../../src/protocol/claims/rule-changes.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { aClient, anAttribute, anEvent, aScope, atOnce } from './records.ts'
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
