import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRefusal } from '../../src/refusal.ts'
import { findByPath, type Group, groupsAtMost, pathOf, registerGroup, splitPath } from '../../src/users/groups.ts'

const group = (id: string, parentId: string | null = null, change: Partial<Group> = {}): Group => ({
  id,
  name: id,
  parentId,
  description: null,
  roles: [],
  createdAtMs: 0,
  version: 1,
  ...change,
})
const byId = (...groups: Group[]) => new Map(groups.map((one) => [one.id, one]))
const messages = (judged: ReturnType<typeof registerGroup>) =>
  isRefusal(judged) ? judged.problems.map(({ message }) => message) : []

const staff = group('staff')
const berlin = group('berlin', 'staff')
const mitte = group('mitte', 'berlin')
const groups = byId(staff, berlin, mitte)

describe('a group', () => {
  it('has the path of the groups that it is in', () => {
    assert.equal(pathOf(mitte, groups), '/staff/berlin/mitte')
    assert.equal(pathOf(staff, groups), '/staff')
  })

  it('is found by its path, as user names are compared', () => {
    assert.equal(findByPath('/Staff/BERLIN', groups), berlin)
    for (const none of ['/berlin', 'staff', '/', '', '/staff/', '//staff', '/staff/mitte']) {
      assert.equal(findByPath(none, groups), undefined, none)
    }
  })

  it('is made below a path, which has a name after each slash', () => {
    assert.deepEqual(splitPath('/staff/berlin'), { parent: '/staff', name: 'berlin' })
    assert.deepEqual(splitPath('/staff'), { parent: null, name: 'staff' })
    for (const none of ['', '/', 'staff', '/staff/', '//staff']) assert.ok(isRefusal(splitPath(none)), none)
  })

  it('has its roles once and in order', () => {
    const judged = registerGroup(group('new', null, { roles: ['b', 'a', 'b'] }), groups)
    assert.deepEqual(!isRefusal(judged) && judged.roles, ['a', 'b'])
  })

  it('has no role without a name, nor one that is too long', () => {
    for (const role of ['', 'x'.repeat(101)]) {
      const judged = registerGroup(group('new', null, { roles: ['a', role] }), groups)
      assert.deepEqual(isRefusal(judged) && judged.problems.map(({ member }) => member), ['roles'])
    }
  })

  for (const [what, name] of [
    ['empty', ''],
    ['too long', 'x'.repeat(101)],
    ['with a slash', 'a/b'],
    ['with a control character', 'a\nb'],
  ] as const) {
    it(`has no name that is ${what}`, () => {
      assert.equal(messages(registerGroup(group('new', null, { name }), groups)).length, 1)
    })
  }

  it('has a name of its own below its parent, as user names are compared, and elsewhere the same', () => {
    assert.deepEqual(messages(registerGroup(group('new', 'staff', { name: 'BERLIN' }), groups)), [
      'A group of the name BERLIN is there already.',
    ])
    assert.deepEqual(messages(registerGroup(group('new', null, { name: 'berlin' }), groups)), [])
    assert.deepEqual(messages(registerGroup({ ...berlin, description: 'Changed' }, groups)), [])
  })

  it('is never inside itself, nor below a parent that is not there', () => {
    for (const parentId of ['staff', 'berlin', 'mitte']) {
      assert.deepEqual(messages(registerGroup({ ...staff, parentId }, groups)), [
        'The parent must not be the group itself, or inside it.',
      ])
    }
    assert.deepEqual(messages(registerGroup(group('new', 'gone'), groups)), ['The parent is not there.'])
  })

  it('is at most ten deep, and so is what it takes along', () => {
    const line = Array.from({ length: 10 }, (_, at) => group(`g${at}`, at === 0 ? null : `g${at - 1}`))
    const all = byId(...line, staff, berlin, mitte)
    assert.deepEqual(messages(registerGroup(group('new', 'g8'), all)), [])
    const deep = ['Groups are at most 10 inside each other.']
    assert.deepEqual(messages(registerGroup(group('new', 'g9'), all)), deep)
    assert.deepEqual(messages(registerGroup({ ...staff, parentId: 'g6' }, all)), [])
    assert.deepEqual(messages(registerGroup({ ...staff, parentId: 'g7' }, all)), deep)
  })

  it('is one of ten thousand at most', () => {
    const many = byId(...Array.from({ length: groupsAtMost }, (_, at) => group(`g${at}`)))
    assert.deepEqual(messages(registerGroup(group('new'), many)), ['The service has at most 10000 groups.'])
    assert.deepEqual(messages(registerGroup(group('g5', null, { description: 'Known' }), many)), [])
  })
})
