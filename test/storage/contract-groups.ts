import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRefusal } from '../../src/refusal.ts'
import type { RecordChange } from '../../src/storage/port/configuration.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { LastAdministrator } from '../../src/storage/port/users.ts'
import { type Group, groupsOfPersonAtMost, registerGroup } from '../../src/users/groups.ts'
import { changeRole, type KnownRoles } from '../../src/users/role-changes.ts'
import { anEvent, atOnce, aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const aGroup = (change: Partial<Group> = {}): Group => {
  const id = nextId()
  return { id, name: id, parentId: null, description: null, roles: [], createdAtMs: now, version: 1, ...change }
}

/** Makes the group if the rules allow it. */
const making = (group: Group) => (groups: ReadonlyMap<string, Group>) => {
  const judged = registerGroup(group, groups)
  return isRefusal(judged) ? { refused: judged.problems } : { changes: [{ id: group.id, after: judged }] }
}

const idsIn = async (groups: Storage['groups'], id: string, after?: string) =>
  (await groups.members(id, after)).map((user) => user.id)

export function groupContract(storageFor: StorageFor): void {
  describe('groups', () => {
    it('are made, changed and deleted, each with an entry in the trail', async (t) => {
      const { groups, audit } = await storageFor(t)
      assert.deepEqual(await groups.all(), { version: 0, known: new Map() })
      const staff = aGroup({ name: 'Staff', description: 'All of us', roles: ['quote"d', '测试'] })
      await groups.change(making(staff), [anEvent({ details: { group: staff.id } })])
      assert.deepEqual(await groups.all(), { version: 1, known: new Map([[staff.id, staff]]) })
      const after = { ...staff, name: 'People', roles: ['employee'] }
      await groups.change(() => ({ changes: [{ id: staff.id, after }] }), [anEvent()])
      assert.deepEqual((await groups.all()).known.get(staff.id), { ...after, version: 2 })
      await groups.change(() => ({ changes: [{ id: staff.id, after: undefined }] }), [anEvent()])
      assert.deepEqual(await groups.all(), { version: 3, known: new Map() })
      assert.equal((await audit.list({}, undefined, 10)).length, 3)
    })

    it('stay as they are when a decision changes nothing', async (t) => {
      const { groups } = await storageFor(t)
      const refused = { refused: true, changes: [] }
      assert.deepEqual(await groups.change(() => refused), refused)
      assert.equal((await groups.all()).version, 0)
    })

    it('of one name below one parent are made once of many at the same time', async (t) => {
      const { groups } = await storageFor(t)
      const parent = aGroup({ name: 'staff' })
      await groups.change(making(parent))
      const names = ['berlin', 'Berlin', 'BERLIN', 'paris']
      const made = await atOnce(12, (at) =>
        groups.change(making(aGroup({ name: names[at % 4] as string, parentId: parent.id }))),
      )
      assert.equal(made.filter((one) => 'changes' in one).length, 2)
      const stored = [...(await groups.all()).known.values()].filter(({ parentId }) => parentId === parent.id)
      assert.deepEqual(stored.map(({ name }) => name.toLowerCase()).sort(), ['berlin', 'paris'])
    })

    it('never come to be inside themselves by moves at the same time', async (t) => {
      const { groups } = await storageFor(t)
      const [one, other] = [aGroup({ name: 'one' }), aGroup({ name: 'other' })]
      for (const group of [one, other]) await groups.change(making(group))
      const moved = await atOnce(2, (at) => {
        const [group, into] = at === 0 ? [one, other] : [other, one]
        return groups.change(making({ ...group, parentId: into.id }))
      })
      assert.equal(moved.filter((decided) => 'changes' in decided).length, 1)
    })

    it('have members: people who are there, each once', async (t) => {
      const { groups, users, audit } = await storageFor(t)
      const [alice, bob] = [await created(users, aUser()), await created(users, aUser())]
      const [staff, guests] = [aGroup(), aGroup()]
      for (const group of [staff, guests]) await groups.change(making(group))
      const ids = [alice.id, bob.id].sort()
      const [missing, none] = [nextId(), { outcome: 'added', added: [] }]
      const notThere = { outcome: 'no_user', userId: missing }
      assert.deepEqual(await groups.addMembers(staff.id, [alice.id, missing, bob.id]), notThere)
      assert.deepEqual(await groups.ofUser(alice.id), [])
      const event = (added: readonly string[]) => added.map((userId) => anEvent({ userId, clientId: 'added' }))
      assert.deepEqual(await groups.addMembers(staff.id, [bob.id, alice.id, alice.id], event), {
        outcome: 'added',
        added: ids,
      })
      assert.deepEqual(await groups.addMembers(staff.id, [alice.id], event), none)
      assert.deepEqual(await groups.addMembers(staff.id, []), none)
      assert.equal((await audit.list({ clientId: 'added' }, undefined, 10)).length, 2)
      assert.deepEqual(await groups.addMembers(missing, [alice.id]), { outcome: 'no_group', userId: alice.id })
      await groups.addMembers(guests.id, [alice.id])
      assert.deepEqual(await groups.ofUser(alice.id), [staff.id, guests.id].sort())
      assert.deepEqual(await idsIn(groups, staff.id), ids)
      assert.deepEqual((await users.find(alice.id))?.groupIds, [staff.id, guests.id].sort())
      assert.equal(await groups.removeMember(staff.id, alice.id), true)
      assert.equal(await groups.removeMember(staff.id, alice.id), false)
      assert.deepEqual(await groups.ofUser(alice.id), [guests.id])
    })

    it('show their members by pages', async (t) => {
      const { groups, users } = await storageFor(t)
      const staff = aGroup()
      await groups.change(making(staff))
      const people: string[] = []
      for (let at = 0; at < 105; at += 1) people.push((await created(users, aUser())).id)
      await groups.addMembers(staff.id, people)
      const first = await idsIn(groups, staff.id)
      assert.equal(first.length, 100)
      assert.deepEqual([...first, ...(await idsIn(groups, staff.id, first.at(-1)))], people.sort())
    })

    it('lose their members with the group and with the person', async (t) => {
      const { groups, users, deletions, removals } = await storageFor(t)
      const [alice, bob] = [await created(users, aUser({ deletionDueAtMs: now })), await created(users, aUser())]
      const [staff, guests] = [aGroup(), aGroup()]
      for (const group of [staff, guests]) {
        await groups.change(making(group))
        await groups.addMembers(group.id, [alice.id, bob.id])
      }
      assert.equal(await deletions.delete(alice.id, now), true)
      assert.deepEqual(await idsIn(groups, staff.id), [bob.id])
      await groups.change(() => ({ changes: [{ id: staff.id, after: undefined }] }))
      assert.deepEqual(await groups.ofUser(bob.id), [guests.id])
      assert.deepEqual((await users.find(bob.id))?.groupIds, [guests.id])
      assert.deepEqual(await removals.list(), [])
    })

    it('keep no member when they are deleted while people are added', async (t) => {
      const { groups, users } = await storageFor(t)
      const people = await atOnce(5, () => created(users, aUser()))
      const staff = aGroup()
      await groups.change(making(staff))
      await atOnce<unknown>(6, (at) =>
        at === 3
          ? groups.change((all) => (all.has(staff.id) ? { changes: [{ id: staff.id, after: undefined }] } : {}))
          : groups.addMembers(staff.id, [people[at % 5]?.id ?? '']),
      )
      assert.deepEqual(await idsIn(groups, staff.id), [])
    })

    it('have room for each person in so many of them', async (t) => {
      const { groups, users } = await storageFor(t)
      const alice = await created(users, aUser())
      const many = Array.from({ length: groupsOfPersonAtMost + 1 }, () => aGroup())
      await groups.change(() => ({ changes: many.map((group) => ({ id: group.id, after: group })) }))
      for (const { id } of many.slice(0, -3)) assert.equal((await groups.addMembers(id, [alice.id])).outcome, 'added')
      const last = await Promise.all(many.slice(-3).map(({ id }) => groups.addMembers(id, [alice.id])))
      assert.deepEqual(last.map(({ outcome }) => outcome).sort(), ['added', 'added', 'too_many'])
      assert.equal((await groups.ofUser(alice.id)).length, groupsOfPersonAtMost)
    })
  })

  describe('groups of files', () => {
    it('are made, changed and deleted with other records, on the version that was decided on alone', async (t) => {
      const { groups, configuration, catalogue, audit } = await storageFor(t)
      const [staff, gone] = [aGroup({ name: 'staff', roles: ['a'] }), aGroup()]
      await groups.change(making(staff))
      await groups.change(making(gone))
      const { version } = await catalogue.now()
      const inner = aGroup({ parentId: staff.id })
      const changes: RecordChange[] = [
        { kind: 'group', before: undefined, after: inner },
        { kind: 'group', before: staff, after: { ...staff, name: 'Staff', roles: ['b'] } },
        { kind: 'group', before: gone, after: undefined },
        { kind: 'role', before: undefined, after: { name: 'b', description: null, createdAtMs: now } },
      ]
      assert.equal(await configuration.apply(changes, now, [anEvent()], version - 1), false)
      assert.equal((await groups.all()).known.size, 2)
      assert.equal(await configuration.apply(changes, now, [anEvent()], version), true)
      const { known } = await groups.all()
      assert.deepEqual(known.get(staff.id), { ...staff, name: 'Staff', roles: ['b'], version: 2 })
      assert.deepEqual(known.get(inner.id), inner)
      assert.equal(known.size, 2)
      assert.equal((await audit.list({}, undefined, 10)).length, 1)
      assert.equal(await configuration.apply(changes, now, [anEvent()], version), false)
    })

    it('are not deleted while somebody is in them, whoever comes at the same time', async (t) => {
      const { groups, configuration, catalogue, users } = await storageFor(t)
      const user = aUser()
      await users.create(user)
      for (let round = 0; round < 10; round += 1) {
        const group = aGroup()
        await groups.change(making(group))
        const { version } = await catalogue.now()
        const deletion: RecordChange = { kind: 'group', before: group, after: undefined }
        const deleting = () => configuration.apply([deletion], now, [], version)
        const adding = () => groups.addMembers(group.id, [user.id])
        const [one, other] = round % 2 === 0 ? [deleting, adding] : [adding, deleting]
        const outcomes = await Promise.all([one(), other()])
        const isDeleted = outcomes.includes(true)
        const isAdded = outcomes.some((outcome) => typeof outcome === 'object' && outcome.outcome === 'added')
        assert.notEqual(isDeleted, isAdded)
        assert.equal((await groups.all()).known.has(group.id), isAdded)
        assert.equal((await groups.members(group.id)).length, isAdded ? 1 : 0)
      }
    })

    it('keep the last administrator', async (t) => {
      const { groups, configuration, users, catalogue } = await storageFor(t)
      const board = aGroup({ roles: ['latchkey-admin'] })
      const inner = aGroup({ parentId: board.id })
      await groups.change(making(board))
      await groups.change(making(inner))
      const user = aUser({ disabled: false, lockedUntilMs: null, lockoutBeganAtMs: null, deletionDueAtMs: null })
      await users.create({ ...user, roles: [] })
      await groups.addMembers(inner.id, [user.id])
      const { version } = await catalogue.now()
      for (const change of [
        { kind: 'group', before: board, after: { ...board, roles: [] } },
        { kind: 'group', before: inner, after: { ...inner, parentId: null } },
      ] as const) {
        await assert.rejects(configuration.apply([change], now, [], version), LastAdministrator)
      }
      const both: RecordChange[] = [
        { kind: 'group', before: board, after: { ...board, roles: [] } },
        { kind: 'group', before: inner, after: { ...inner, roles: ['latchkey-admin'] } },
      ]
      assert.equal(await configuration.apply(both, now, [], version), true)
    })
  })

  describe('what roles include', () => {
    const asked = { members: {}, isNew: true, guarded: [], nowMs: now }

    it('is decided on the version of the catalogue: two changes never make a circle', async (t) => {
      const { roles, catalogue } = await storageFor(t)
      const include = (name: string, other: string) => (known: KnownRoles) =>
        changeRole({ ...asked, name, members: { includes: [other] } }, known)
      const decided = await Promise.all([
        roles.change(include('editor', 'author')),
        roles.change(include('author', 'editor')),
      ])
      assert.equal(decided.filter(({ problems }) => problems === undefined).length, 1)
      assert.equal((await catalogue.now()).roles.size, 1)
    })

    it('loses a role that is deleted, as groups do, in the same commit', async (t) => {
      const { roles, groups, catalogue, configuration } = await storageFor(t)
      const editor = { name: 'editor', includes: ['author', 'viewer'], isDefault: true as const }
      await roles.create({ ...editor, description: null, createdAtMs: now })
      const viewer = { name: 'viewer', description: null, createdAtMs: now }
      await roles.create(viewer)
      const staff = aGroup({ roles: ['author', 'authors', 'viewer'] })
      await groups.change(making(staff))
      const { version } = await catalogue.now()
      assert.equal(await roles.deleteEverywhere('author', now), true)
      const after = await catalogue.now()
      assert.ok(after.version > version)
      assert.deepEqual(after.groups.get(staff.id)?.roles, ['authors', 'viewer'])
      assert.deepEqual(after.roles.get('editor')?.includes, ['viewer'])
      assert.equal(await roles.deleteEverywhere('author', now), false)
      assert.equal(await configuration.apply([{ kind: 'role', before: viewer, after: undefined }], now), true)
      const last = await catalogue.now()
      assert.deepEqual(last.groups.get(staff.id)?.roles, ['authors'])
      assert.deepEqual(last.roles.get('editor')?.includes, [])
    })

    it('is applied from files on the version that it was decided on alone', async (t) => {
      const { roles, catalogue, configuration } = await storageFor(t)
      const { version } = await catalogue.now()
      await roles.create({ name: 'author', description: null, createdAtMs: now, includes: ['editor'] })
      const after = { name: 'editor', description: null, createdAtMs: now, includes: ['author'] }
      const apply = (decidedOn: number) =>
        configuration.apply([{ kind: 'role', before: undefined, after }], now, [], decidedOn)
      assert.equal(await apply(version), false)
      assert.equal(await roles.find('editor'), undefined)
      assert.equal(await apply((await catalogue.now()).version), true)
    })
  })
}
