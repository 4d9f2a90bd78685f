import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRefusal } from '../../src/refusal.ts'
import {
  effectiveRoleNames,
  effectiveRoles,
  includeRoles,
  type RoleRule,
  type RoleSources,
} from '../../src/users/effective-roles.ts'
import type { Group } from '../../src/users/groups.ts'

const group = (id: string, parentId: string | null, roles: readonly string[]): [string, Group] => [
  id,
  { id, name: id, parentId, description: null, roles, createdAtMs: 0, version: 1 },
]
const rule = (name: string, includes: readonly string[] = [], isDefault = false): [string, RoleRule] => [
  name,
  { name, includes, isDefault },
]
const sources: RoleSources = {
  groups: new Map([
    group('staff', null, ['employee']),
    group('berlin', 'staff', ['key-holder', 'editor']),
    group('guests', null, ['guest']),
  ]),
  roles: new Map([rule('editor', ['author', 'viewer']), rule('author', ['writer']), rule('member', ['viewer'], true)]),
}

describe('effective roles', () => {
  it('are own ones, those of groups and of the groups these are in, what all include, and those of everybody', () => {
    assert.deepEqual(effectiveRoles(['admin', 'employee'], ['berlin'], sources), [
      { role: 'admin', from: ['own'] },
      { role: 'author', from: ['included by editor'] },
      { role: 'editor', from: ['/staff/berlin'] },
      { role: 'employee', from: ['own', '/staff'] },
      { role: 'key-holder', from: ['/staff/berlin'] },
      { role: 'member', from: ['everybody'] },
      { role: 'viewer', from: ['included by editor', 'included by member'] },
      { role: 'writer', from: ['included by author'] },
    ])
  })

  it('come from each group once, whatever the ways to it, and not from one that is gone', () => {
    const found = effectiveRoles([], ['berlin', 'staff', 'gone'], sources)
    assert.deepEqual(
      found.find(({ role }) => role === 'employee'),
      { role: 'employee', from: ['/staff'] },
    )
  })

  it('end where roles include each other in a circle that was stored before', () => {
    const roles = new Map([rule('a', ['b']), rule('b', ['a'])])
    assert.deepEqual(effectiveRoles(['a'], [], { ...sources, roles }), [
      { role: 'a', from: ['own', 'included by b'] },
      { role: 'b', from: ['included by a'] },
    ])
  })

  it('have the same names in tokens as in the list that says where they come from', () => {
    const namesOf = effectiveRoleNames(sources)
    for (const [own, groups] of [
      [[], []],
      [['admin'], []],
      [['editor'], ['guests']],
      [['employee'], ['berlin', 'staff', 'gone']],
    ] as const) {
      const listed = effectiveRoles(own, groups, sources).map(({ role }) => role)
      assert.deepEqual(namesOf(own, groups), listed)
      assert.deepEqual(namesOf(own, groups), listed, 'again, from what was kept')
    }
  })

  it('are the own ones as they are where there are neither groups nor rules', () => {
    const own = ['b', 'a']
    assert.equal(effectiveRoleNames({ groups: new Map(), roles: new Map() })(own, []), own)
  })
})

describe('what a role includes', () => {
  const messages = (one: RoleRule) => {
    const judged = includeRoles(one, sources.roles)
    return isRefusal(judged) ? judged.problems.map(({ message }) => message) : judged.includes
  }

  it('is other roles, once and in order', () => {
    assert.deepEqual(messages({ name: 'chief', includes: ['editor', 'admin', 'editor'], isDefault: false }), [
      'admin',
      'editor',
    ])
  })

  it('never leads back to the role, by whatever way', () => {
    const [self, way] = [['viewer', ['viewer']] as const, ['writer', ['editor']] as const]
    assert.deepEqual(messages({ name: self[0], includes: self[1], isDefault: false }), [
      'The role viewer would include itself: viewer → viewer.',
    ])
    assert.deepEqual(messages({ name: way[0], includes: way[1], isDefault: false }), [
      'The role writer would include itself: writer → editor → author → writer.',
    ])
  })

  it('is at most 50 roles', () => {
    const includes = Array.from({ length: 51 }, (_, at) => `role-${at}`)
    assert.deepEqual(messages({ name: 'all', includes, isDefault: false }), ['A role includes at most 50 others.'])
  })
})
