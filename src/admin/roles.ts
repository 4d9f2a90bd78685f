/** `/roles`: descriptions of roles. A role exists by being given to somebody. */

import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import { holdersAtMost, namedHoldersAtMost } from '../storage/port/users.ts'
import { describeRole, type Role, roleRecord } from '../users/roles.ts'
import { changedMembers, nameTaken, problemsOf, readOnlyFaults, withProblems } from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles } from './permissions.ts'
import { forceQuery, listQuery, named, nullable, pageSchema, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

const roleSchema = named(
  'Role',
  strictObject({ name: Type.String(), description: nullable(Type.String()), created_at: nullable(time()) }),
)
const description = Type.Optional(nullable(text(1000)))
const newRole = named('NewRole', strictObject({ name: text(100), description }))
const roleChanges = named(
  'RoleChanges',
  strictObject({ description, name: Type.Optional(Type.String()), created_at: Type.Optional(nullable(time())) }),
)

const path = '/roles/:name'
const permission = 'admin:users'
const change = {
  path,
  permission,
  body: roleChanges,
  status: 200,
  answer: roleSchema,
  refusals: [404],
  hasVersion: true,
  judge: async ({ params, body }: Call<unknown, { readonly description?: string | null }>) =>
    problemsOf(describeRole({ ...undescribed(params.name ?? ''), description: body.description ?? null })),
} as const

export const roleOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/roles',
    permission: 'admin:users:read',
    summary: 'Lists the roles that are described, given to somebody, or give permissions, by name',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(roleSchema),
    async run(call) {
      const { roles: stored, userSearch } = call.service.storage
      const [described, held] = await Promise.all([stored.list(), userSearch.heldRoles()])
      const byName = new Map([...held, ...builtInRoles].map((name) => [name, undescribed(name)]))
      for (const role of described) byName.set(role.name, role)
      const roles = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
      return listedFrom(call, roles, ({ name }) => name, roleRecord)
    },
  }),
  operation({
    method: 'POST',
    path: '/roles',
    permission,
    summary: 'Describes a role',
    body: newRole,
    status: 201,
    answer: roleSchema,
    refusals: [409],
    hasVersion: true,
    judge: async ({ body: { name = 'role', description = null } }) =>
      problemsOf(describeRole({ name, description, createdAtMs: 0 })),
    async run(call) {
      const { body, nowMs, service } = call
      const role = describeRole({ name: body.name, description: body.description ?? null, createdAtMs: nowMs })
      if (isRefusal(role)) return role
      const refused = checkRoles(call.caller, [], [role.name])
      if (refused !== undefined) return refused
      const isNew = await service.storage.roles.create(role, [call.event('role_added', {}, { name: role.name })])
      if (!isNew) return nameTaken(call, { kind: 'role', name: role.name }, 'name', { name: role.name })
      return { ...shown(role), location: `/roles/${encodeURIComponent(role.name)}` }
    },
  }),
  operation({
    method: 'GET',
    path,
    permission: 'admin:users:read',
    summary: 'Returns a role',
    status: 200,
    answer: roleSchema,
    refusals: [404],
    hasVersion: true,
    async run(call) {
      const role = await find(call)
      return isRefusal(role) ? role : shown(role)
    },
  }),
  operation({ ...change, method: 'PUT', summary: 'Replaces the description of a role', run: describe }),
  operation({
    ...change,
    method: 'PATCH',
    summary: 'Changes the description of a role (JSON merge patch)',
    run: describe,
  }),
  operation({
    method: 'DELETE',
    path,
    permission,
    summary: 'Deletes a role; with force, everybody who has it loses it',
    query: forceQuery,
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: remove,
  }),
]

const undescribed = (name: string): Role => ({ name, description: null, createdAtMs: 0 })

/** A role that somebody has and nobody described is a role without a description. */
async function find({ params, service }: Call): Promise<Role | Refusal> {
  const { roles } = service.storage
  const name = params.name ?? ''
  const role = await roles.find(name)
  if (role !== undefined) return role
  const exists = builtInRoles.includes(name) || (await service.storage.userSearch.isHeld(name))
  return exists ? undescribed(name) : unknownRole(name)
}

async function describe(call: Call<unknown, { readonly description?: string | null }>): Promise<Outcome> {
  const { service, request, body, nowMs } = call
  const { roles } = service.storage
  const role = await find(call)
  if (isRefusal(role)) return role
  const no = call.expects(etagOf(roleRecord(role))) ?? checkRoles(call.caller, [], [role.name])
  if (no !== undefined) return no
  const { description = request.method === 'PUT' ? null : role.description } = body
  const isStored = role.createdAtMs !== 0
  const next = describeRole({ ...role, description, createdAtMs: isStored ? role.createdAtMs : nowMs })
  const readOnly = readOnlyFaults(roleRecord(role), { ...body }, ['name', 'created_at'])
  if (readOnly !== undefined) return withProblems(readOnly, next)
  if (isRefusal(next)) return next
  if (next.description === role.description) return shown(role)
  const event = call.event('role_changed', {}, { name: role.name, ...changedMembers(body) })
  const isChanged = isStored ? await roles.describe(role, next.description, [event]) : await roles.create(next, [event])
  return isChanged ? shown(next) : refuse('admin_version_stale', 'If-Match')
}

async function remove(call: Call<{ readonly force?: boolean }>): Promise<Outcome> {
  const { service, query, nowMs } = call
  const { roles } = service.storage
  const role = await find(call)
  if (isRefusal(role)) return role
  const { name } = role
  const no = call.expects(etagOf(roleRecord(role))) ?? checkRoles(call.caller, [], [name])
  if (no !== undefined) return no
  if (builtInRoles.includes(name)) return refuse('admin_role_built_in', '', { name })
  const { count, users } = await holdersOf(call, name)
  if (count > 0 && query.force !== true) {
    return { refusal: refuse('admin_record_in_use', 'role', { name }), members: { used_by: { count, users } } }
  }
  const event = call.event('role_deleted', {}, { name, ...(count > 0 && { takenFrom: count }) })
  const isDeleted = await roles.deleteEverywhere(name, nowMs, [event])
  return isDeleted ? {} : unknownRole(name)
}

/** Returns how many people have the role, and the user names of the first of them. */
async function holdersOf({ service }: Call, name: string): Promise<{ count: number; users: readonly string[] }> {
  const { roles, userSearch } = service.storage
  const holders = await userSearch.holders(name, holdersAtMost)
  if (holders === undefined) return roles.dependents(name)
  const names = holders.map((user) => user.name).sort()
  return { count: names.length, users: names.slice(0, namedHoldersAtMost) }
}

function shown(role: Role): Done {
  const record = roleRecord(role)
  return { body: record, etag: etagOf(record) }
}

function unknownRole(name: string): Refusal {
  return refuse('admin_record_unknown', 'role', { name })
}
