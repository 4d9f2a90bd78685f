import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute } from '../../src/users/attributes.ts'
import { anEvent, atOnce, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const anAttribute = (name: string, change: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'choice',
  many: true,
  choices: [{ value: 'quote"d', labels: { '': 'Quoted', de: 'Zitiert' } }],
  labels: { '': 'Department', 'pt-br': 'Setor' },
  helps: {},
  required: true,
  editedBy: 'person',
  seenBy: 'person',
  unique: false,
  pattern: null,
  min: null,
  max: 9,
  searchable: true,
  createdAtMs: now,
  version: 1,
  ...change,
})

/** Declares it, unless one of its name is there. */
const declaring = (attribute: Attribute) => (known: ReadonlyMap<string, Attribute>) =>
  known.has(attribute.name) ? {} : { changes: [{ name: attribute.name, after: attribute }] }

export function attributeContract(storageFor: StorageFor): void {
  describe('declared attributes', () => {
    it('are declared, changed and deleted, each with an entry in the trail', async (t) => {
      const { attributes, audit } = await storageFor(t)
      const [later, first] = [anAttribute('a', { createdAtMs: now + 1 }), anAttribute('b')]
      for (const attribute of [later, first]) await attributes.change(declaring(attribute), [anEvent()])
      assert.deepEqual(await attributes.all(), {
        version: 2,
        known: new Map([
          ['b', first],
          ['a', later],
        ]),
      })
      const after = { ...first, type: 'text', choices: [], pattern: '[a-z]+', createdAtMs: now + 9 } as const
      await attributes.change(() => ({ changes: [{ name: 'b', after }] }), [anEvent()])
      const changed = { ...after, createdAtMs: now, version: 2 }
      assert.deepEqual((await attributes.all()).known.get('b'), changed)
      await attributes.change(() => ({ changes: [{ name: 'b', after: undefined }] }), [anEvent()])
      assert.deepEqual([...(await attributes.all()).known.keys()], ['a'])
      assert.equal((await audit.list({}, undefined, 10)).length, 4)
    })

    it('of one name are declared once of many at the same time', async (t) => {
      const { attributes } = await storageFor(t)
      const declared = await atOnce(8, (at) => attributes.change(declaring(anAttribute(`a${at % 2}`))))
      assert.equal(declared.filter((one) => 'changes' in one).length, 2)
    })

    it('are decided together with groups: what is decided on one is not overtaken by the other', async (t) => {
      const { attributes, groups } = await storageFor(t)
      const group = { id: 'g', name: 'g', parentId: null, description: null, roles: [], createdAtMs: now, version: 1 }
      let decisions = 0
      await attributes.change((known) => {
        decisions += 1
        return declaring(anAttribute('a'))(known)
      })
      await groups.change(() => ({ changes: [{ id: 'g', after: group }] }))
      assert.deepEqual([decisions, (await attributes.all()).version, (await groups.all()).version], [1, 2, 2])
    })
  })
}
