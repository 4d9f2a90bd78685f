import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Resource } from '../../src/protocol/claims/resource-rules.ts'
import { anEvent, aScope, atOnce } from './records.ts'
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
      await scopes.create(aScope('plain', { claims: [] }))
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
  })
}
