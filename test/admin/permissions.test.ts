/** The rules about permissions, as tables. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkClient, checkMembership, checkRoles, checkUser } from '../../src/admin/permissions.ts'
import {
  adminScopes,
  type Permission,
  permissionsOf,
  permissionsOfRoles,
} from '../../src/protocol/scope/admin-scopes.ts'
import type { Member } from '../../src/storage/port/catalogue.ts'
import { effectiveRoleNames, effectiveRoles } from '../../src/users/effective-roles.ts'

const [admin, viewer, nobody] = [['latchkey-admin'], ['latchkey-viewer'], ['admin', 'Latchkey-Admin']] as const
const readings = adminScopes.filter((scope) => scope.endsWith(':read'))

/** The role chief includes that of administrators; the group board has it, through the group that it is in. */
const group = { description: null, createdAtMs: 0, version: 1 }
const sources = {
  groups: new Map([
    ['heads', { ...group, id: 'heads', name: 'heads', parentId: null, roles: ['chief'] }],
    ['board', { ...group, id: 'board', name: 'board', parentId: 'heads', roles: [] }],
    ['staff', { ...group, id: 'staff', name: 'staff', parentId: null, roles: ['employee'] }],
  ]),
  roles: new Map([['chief', { name: 'chief', includes: admin, isDefault: false }]]),
}
const namesOf = effectiveRoleNames(sources)
const catalogue = {
  ...{ version: 1, attributes: new Map(), ...sources },
  rolesOf: ({ roles, groupIds = [] }: Member) => namesOf(roles, groupIds),
  effectiveRolesOf: ({ roles, groupIds = [] }: Member) => effectiveRoles(roles, groupIds, sources),
}

describe('permissions', () => {
  it('follow from scopes: write includes all, read all reading, each one its reading', () => {
    for (const [scopes, expected] of [
      [['admin:write'], adminScopes],
      [['admin:read'], readings],
      [['admin:users'], ['admin:users', 'admin:users:read']],
      [['admin:keys:read'], ['admin:keys:read']],
      [
        ['admin:audit', 'admin:read'],
        ['admin:audit', ...readings],
      ],
      [['openid', 'admin', 'admin:', 'admin:everything', 'ADMIN:WRITE'], []],
    ] as const) {
      assert.deepEqual([...permissionsOf(scopes)].sort(), [...expected].sort(), scopes.join(' '))
    }
    assert.deepEqual([...permissionsOfRoles(admin)], adminScopes)
    assert.deepEqual([...permissionsOfRoles(viewer)].sort(), [...readings].sort())
    assert.equal(permissionsOfRoles(nobody).size, 0)
  })

  it('are neither given out nor taken over by who lacks them', () => {
    const yes = undefined
    const no = 'admin_permission_exceeded'
    const holding = (...scopes: Permission[]) => ({ permissions: permissionsOf(scopes), catalogue })
    const helper = holding('admin:users')
    const operator = permissionsOf(['admin:clients'])
    const all = holding('admin:write')
    const client = (...scopes: string[]) => ({ id: 'app', scopes })
    for (const [refusal, expected] of [
      [checkUser(helper, { roles: nobody }), yes],
      [checkUser(helper, { roles: admin }), no],
      [checkUser(helper, { roles: viewer }), no],
      [checkUser(holding('admin:users', 'admin:read'), { roles: viewer }), yes],
      [checkUser(holding('admin:users', 'admin:read'), { roles: [...viewer, ...admin] }), no],
      [checkUser(all, { roles: admin }), yes],
      [checkUser(helper, { roles: nobody, groupIds: ['board'] }), no],
      [checkUser(helper, { roles: nobody, groupIds: ['staff'] }), yes],
      [checkRoles(helper, [], ['chief']), no],
      [checkRoles(helper, ['chief'], []), no],
      [checkRoles(all, [], ['chief']), yes],
      [checkMembership(helper, 'board'), no],
      [checkMembership(helper, 'staff'), yes],
      [checkMembership(all, 'board'), yes],
      [checkRoles(helper, [], nobody), yes],
      [checkRoles(helper, [], admin), no],
      [checkRoles(helper, admin, []), no],
      [checkRoles(helper, admin, [...admin, 'other']), yes],
      [checkRoles(helper, viewer, admin), no],
      [checkRoles(all, [], [...admin, ...viewer]), yes],
      [checkClient(operator, client('demo_api', 'openid')), yes],
      [checkClient(operator, client(), client('admin:clients')), yes],
      [checkClient(operator, client(), client('admin:clients:read')), yes],
      [checkClient(operator, client(), client('admin:write')), no],
      [checkClient(operator, client('admin:users'), client()), no],
      [checkClient(operator, client('admin:read')), no],
      [checkClient(all.permissions, client('admin:write'), client()), yes],
      [checkClient(operator, { id: 'latchkey-console', scopes: [] }), no],
      [checkClient(all.permissions, { id: 'latchkey-console', scopes: [] }), yes],
    ] as const) {
      assert.equal(refusal?.reason, expected)
    }
  })
})
