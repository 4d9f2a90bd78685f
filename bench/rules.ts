/**
 * Adds to a database what an operator of a large installation declares: attributes with values, groups inside each other, roles
 * that include others, and rules of the scope, for the person whom every measurement signs in.
 *
 *   node bench/rules.ts      settings as for the service, in the environment
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ClaimRule } from '../src/protocol/claims/claim-rules.ts'
import { seedDemo } from '../src/server/demo.ts'
import { demo } from '../src/settings/demo.ts'
import { readSettings } from '../src/settings/read.ts'
import { openStorage } from '../src/storage/open.ts'
import { newAttribute } from '../src/users/attribute-record.ts'

export const numberOfAttributes = 10
export const numberOfGroups = 5
export const numberOfRoles = 20

const everywhere = ['id_token', 'access_token', 'userinfo', 'introspection'] as const
export const rules: readonly ClaimRule[] = [
  { claim: 'department', from: 'attribute:field_0', in: everywhere, as: 'auto' },
  { claim: 'org.groups', from: 'groups', in: ['access_token', 'userinfo'], as: 'list' },
  { claim: 'https://claims.example/customer', from: 'attribute:field_1', in: ['access_token', 'id_token'], as: 'text' },
]

if (import.meta.main) await addRules()

async function addRules(): Promise<void> {
  const read = readSettings({ env: process.env, cwd: process.cwd() })
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const storage = await openStorage(read.settings.database.url, { migrate: true })
  const nowMs = Date.now()
  await seedDemo(storage, Date.now, randomBytes)
  const names = Array.from({ length: numberOfAttributes }, (_, at) => `field_${at}`)
  await storage.attributes.change(() => ({
    changes: names.map((name) => ({ name, after: newAttribute(name, nowMs) })),
  }))
  // Three in a line, and two beside it. Each has three roles, of which the first includes one more.
  const groups = Array.from({ length: numberOfGroups }, (_, at) => ({
    id: `group-${at}`,
    name: `group-${at}`,
    parentId: at === 1 || at === 2 ? `group-${at - 1}` : null,
    description: null,
    roles: [0, 1, 2].map((role) => `role-${at}-${role}`),
    createdAtMs: nowMs,
    version: 1,
  }))
  await storage.groups.change(() => ({ changes: groups.map((after) => ({ id: after.id, after })) }))
  for (const { roles } of groups.slice(0, 4)) {
    const [name = ''] = roles
    const includes = [`${name}-included`]
    await storage.roles.create({ name, description: null, createdAtMs: nowMs, includes })
  }
  const person = await storage.users.findByName(demo.userName)
  assert.ok(person)
  for (const { id } of groups) await storage.groups.addMembers(id, [person.id])
  const attributes = Object.fromEntries(names.map((name, at) => [name, `value ${at} of the person`]))
  const after = await storage.users.update(person.id, (user) => ({ ...user, attributes }))
  await storage.scopes.update(demo.scope, (scope) => ({ ...scope, claims: rules }))
  const catalogue = await storage.catalogue.now()
  assert.equal(after && catalogue.rolesOf({ ...after, groupIds: groups.map(({ id }) => id) }).length, numberOfRoles)
  await storage.close()
}
