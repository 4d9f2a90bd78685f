import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ValueRefused, type ValuesShared } from '../../src/storage/port/attributes.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import type { User } from '../../src/users/user.ts'
import { anAttribute, anEvent, atOnce, aUser, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

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

    it('change their type only if no value was stored after the check that the change rests on (claims and groups, section 1)', async (t) => {
      const { attributes, users } = await storageFor(t)
      const text = { type: 'text', many: false, choices: [] } as const
      const [note, other] = [anAttribute('note', text), anAttribute('other', text)]
      for (const one of [note, other]) await attributes.change(declaring(one))
      const [before, after] = [aUser(), aUser({ attributes: { note: 'x' } })]
      for (const user of [before, after]) await users.create(user)
      const integer = { ...note, type: 'integer' } as const
      const isInteger = (value: unknown) => typeof value === 'number'
      const change = (checked: number) =>
        attributes.change(() => ({ changes: [{ name: 'note', after: integer, checked }] }))
      assert.deepEqual((await attributes.misfits('note', isInteger)).people, [after.name])
      await users.update(after.id, (user) => ({ ...user, attributes: {} }))
      const first = await attributes.misfits('note', isInteger)
      assert.deepEqual(first.people, [])
      await users.update(before.id, (user) => ({ ...user, attributes: { note: 'in the same instant', other: 'o' } }))
      await assert.rejects(change(first.checked), { name: 'ValuesChanged' })
      assert.equal((await attributes.all()).known.get('note')?.type, 'text')
      await users.update(before.id, (user) => ({ ...user, attributes: { other: 'o' } }))
      const second = await attributes.misfits('note', isInteger)
      // Values of others, and of people whose value goes, do not matter.
      await users.update(before.id, (user) => ({ ...user, attributes: { other: 'p' } }))
      await change(second.checked)
      assert.equal((await attributes.all()).known.get('note')?.type, 'integer')
    })

    it('take no value of the type that they had before (claims and groups, section 1)', async (t) => {
      const { attributes, users } = await storageFor(t)
      const user = aUser()
      await users.create(user)
      const base = { ...anAttribute('a'), labels: { '': 'has "type":"text" in it' } }
      const choices = [{ value: 'quote"d', labels: {} }]
      const kinds = [
        [{ type: 'text', many: false, choices: [] }, ['x', '2026-03-01', 'quote"d'], [1, true, ['x']]],
        [{ type: 'date', many: false, choices: [] }, ['2026-03-01'], ['2026-02-30', 'x', 1]],
        [{ type: 'integer', many: false, choices: [] }, [1], ['1', true, [1]]],
        [{ type: 'boolean', many: true, choices: [] }, [[true, false]], [true, ['true']]],
        [{ type: 'choice', many: false, choices }, ['quote"d'], ['quote', 'x', 1, ['quote"d']]],
        [{ type: 'choice', many: true, choices }, [['quote"d']], [['quote"d', 'x'], 'quote"d']],
      ] as const
      await attributes.change(declaring(base))
      for (const [kind, fitting, others] of kinds) {
        await users.update(user.id, (one) => ({ ...one, attributes: {} }))
        await attributes.change(() => ({ changes: [{ name: 'a', after: { ...base, ...kind } }] }))
        const store = (a: unknown) =>
          users.update(user.id, (one) => ({ ...one, attributes: { a } as User['attributes'] }))
        for (const value of others) {
          await assert.rejects(store(value), { name: 'ValueRefused', reason: 'unfit' }, JSON.stringify([kind, value]))
        }
        for (const value of fitting) assert.deepEqual((await store(value))?.attributes, { a: value })
      }
    })

    it('never have values of another type, whatever changes at the same time', async (t) => {
      const { attributes, users } = await storageFor(t)
      const note = anAttribute('note', { type: 'text', many: false, choices: [] })
      await attributes.change(declaring(note))
      const people = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const user = aUser()
          await users.create(user)
          return user
        }),
      )
      const becoming = async (type: 'text' | 'integer'): Promise<string> => {
        const isOne = (value: unknown) => typeof value === (type === 'text' ? 'string' : 'number')
        const { people: unfit, checked } = await attributes.misfits('note', isOne)
        if (unfit.length > 0) return 'unfit'
        const changed = attributes.change((known) => ({
          changes: [{ name: 'note', after: { ...(known.get('note') ?? note), type }, checked }],
        }))
        return changed.then(
          () => 'changed',
          (error: Error) => error.name,
        )
      }
      const outcomes: string[] = []
      for (const type of ['integer', 'text', 'integer', 'text', 'integer', 'text'] as const) {
        for (const { id } of people) await users.update(id, (user) => ({ ...user, attributes: {} }))
        const [outcome] = await Promise.all([
          becoming(type),
          ...people.map(({ id }, at) =>
            users
              .update(id, (user) => ({ ...user, attributes: { note: at % 2 === 0 ? 'x' : 1 } }))
              .catch((error: Error) => assert.equal(error.name, 'ValueRefused')),
          ),
        ])
        outcomes.push(outcome)
        const declared = (await attributes.all()).known.get('note')?.type === 'text' ? 'string' : 'number'
        for (const { attributes: values } of await users.list()) {
          if (values.note !== undefined) assert.equal(typeof values.note, declared)
        }
      }
      assert.equal(outcomes.length, 6)
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

  describe('values of attributes', () => {
    const text = { type: 'text', many: false, choices: [], max: null } as const
    const number = anAttribute('number', { ...text, unique: true })
    const teams = anAttribute('teams', { ...text, many: true })

    async function declared(t: TestContext, ...attributes: readonly Attribute[]) {
      const storage = await storageFor(t)
      for (const attribute of attributes) await storage.attributes.change(declaring(attribute))
      return storage
    }
    const valuesOf = async (storage: Storage, { id }: User) => (await storage.users.find(id))?.attributes

    const holders = async (storage: Storage, value: string) =>
      (await storage.attributes.holders('teams', value))?.map(({ id }) => id)

    it('are stored with the person, found by what equals them, and deleted with the person', async (t) => {
      const storage = await declared(t, number, teams)
      const values = { number: 'A-1', teams: ['Straße', 'b'] }
      const [alice, bob] = [aUser({ attributes: values }), aUser()]
      for (const user of [alice, bob]) assert.equal(await storage.users.create(user), 'created')
      assert.deepEqual(await valuesOf(storage, alice), values)
      assert.deepEqual(await holders(storage, 'STRASSE'), [alice.id])
      assert.deepEqual(await storage.attributes.people('number', ''), [
        { id: alice.id, name: alice.name, value: 'A-1' },
      ])
      await storage.users.update(alice.id, (user) => ({ ...user, attributes: { teams: ['b'] } }))
      assert.deepEqual(await holders(storage, 'straße'), [])
      assert.deepEqual(await holders(storage, 'b'), [alice.id])
      assert.equal(await storage.attributes.count('number'), 0)
      await storage.users.delete(alice.id, [], { force: true })
      assert.deepEqual(await holders(storage, 'b'), [])
    })

    it('of a unique attribute belong to one of many who take one at the same time, compared as user names are', async (t) => {
      const storage = await declared(t, number)
      const [first, ...others] = Array.from({ length: 4 }, () => aUser())
      assert.ok(first)
      for (const user of [first, ...others]) await storage.users.create(user)
      const people = [first, ...others]
      const taken = await atOnce(people.length, async (at) => {
        const user = people[at] ?? first
        const value = at % 2 === 0 ? 'X-1' : 'x-1'
        const change = (one: User): User => ({ ...one, attributes: { number: value } })
        return await storage.users.update(user.id, change, [anEvent()]).then(
          () => 'stored',
          (error) => (error instanceof ValueRefused ? error.reason : error),
        )
      })
      assert.deepEqual(taken.toSorted(), ['stored', 'taken', 'taken', 'taken'])
      await assert.rejects(storage.users.create(aUser({ attributes: { number: 'X-1' } })), ValueRefused)
      assert.equal((await storage.attributes.people('number', '')).length, 1)
    })

    it('of a long text are compared whole', async (t) => {
      const storage = await declared(t, { ...number, max: 4096 })
      const long = 'ä'.repeat(4000)
      await storage.users.create(aUser({ attributes: { number: `${long}1` } }))
      assert.equal(await storage.users.create(aUser({ attributes: { number: `${long}2` } })), 'created')
      await assert.rejects(storage.users.create(aUser({ attributes: { number: `${long}2` } })), ValueRefused)
    })

    it('become unique only where no two people have the same one', async (t) => {
      const storage = await declared(t, { ...number, unique: false })
      const [alice, bob] = [aUser({ attributes: { number: '7' } }), aUser({ attributes: { number: '7' } })]
      for (const user of [alice, bob]) await storage.users.create(user)
      const becoming = () => storage.attributes.change(() => ({ changes: [{ name: 'number', after: number }] }))
      await assert.rejects(becoming(), (error: ValuesShared) => error.people.length === 2)
      await storage.users.update(bob.id, (user) => ({ ...user, attributes: { number: '8' } }))
      await becoming()
      const take = () => storage.users.update(bob.id, (user) => ({ ...user, attributes: { number: '7' } }))
      await assert.rejects(take(), ValueRefused)
      await storage.attributes.change(() => ({ changes: [{ name: 'number', after: { ...number, unique: false } }] }))
      assert.equal((await take())?.attributes.number, '7')
    })

    it('leave everybody with a deleted attribute, which nobody can be given from then on', async (t) => {
      const storage = await declared(t, number, teams)
      const people = Array.from({ length: 3 }, (_, at) => aUser({ attributes: { number: `n${at}`, teams: ['a'] } }))
      for (const user of people) await storage.users.create(user)
      await storage.attributes.change(() => ({ changes: [{ name: 'number', after: undefined }] }))
      await storage.removals.goOn(() => true)
      for (const user of people) assert.deepEqual(await valuesOf(storage, user), { teams: ['a'] })
      await assert.rejects(
        storage.users.create(aUser({ attributes: { number: 'n9' } })),
        (error: ValueRefused) => error.reason === 'undeclared',
      )
      await storage.attributes.change(declaring(number))
      assert.equal(await storage.users.create(aUser({ attributes: { number: 'n1' } })), 'created')
    })
  })
}
