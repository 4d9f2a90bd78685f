/** `/roles`: descriptions of roles. A role exists by being given to somebody or to a group, or by being included. */

import { clientPartOf } from '../protocol/claims/client-roles.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { namedHoldersAtMost } from '../storage/port/users.ts'
import { giversOf, linkedRoles } from '../users/effective-roles.ts'
import { changeRole, type DecidedRole, type RoleMembers } from '../users/role-changes.ts'
import { describeRole, type Role, roleRecord, undescribedRole } from '../users/roles.ts'
import { changedMembers, nameTaken, ownerlessProblems, problemsOf, readOnlyFaults, withProblems } from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles } from './permissions.ts'
import { forceQuery, listQuery, named, nullable, pageSchema, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

const roleNames = Type.Array(Type.String(), {
  maxItems: 1000,
  description: 'Roles that whoever has this one has, too.',
})
const roleSchema = named(
  'Role',
  strictObject({
    name: Type.String(),
    description: nullable(Type.String()),
    includes: roleNames,
    default: Type.Boolean({ description: 'Everybody has it.' }),
    created_at: nullable(time()),
  }),
)
const members = {
  description: Type.Optional(nullable(text(1000))),
  includes: Type.Optional(nullable(roleNames)),
  default: Type.Optional(nullable(Type.Boolean())),
}
const newRole = named('NewRole', strictObject({ name: text(100), ...members }))
const roleChanges = named(
  'RoleChanges',
  strictObject({ ...members, name: Type.Optional(Type.String()), created_at: Type.Optional(nullable(time())) }),
)

const path = '/roles/:name'
const permission = 'admin:users'
const change = {
  path,
  permission,
  body: roleChanges,
  status: 200,
  answer: roleSchema,
  refusals: [404, 409],
  hasVersion: true,
  judge: async ({ params, body }: Call<unknown, { readonly description?: string | null }>) =>
    problemsOf(describeRole({ ...undescribedRole(params.name ?? ''), description: body.description ?? null })),
} as const

export const roleOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/roles',
    permission: 'admin:users:read',
    summary: 'Lists the roles that are described, given to somebody or a group, included, or give permissions, by name',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(roleSchema),
    async run(call) {
      const { roles: stored, userSearch, clientReferences } = call.service.storage
      const [described, held, ofAccounts] = await Promise.all([
        ...([stored.list(), userSearch.heldRoles(), clientReferences.accountRoles()] as const),
      ])
      const linked = linkedRoles(call.caller.catalogue)
      const byName = new Map(
        [...held, ...ofAccounts, ...linked, ...builtInRoles].map((name) => [name, undescribedRole(name)]),
      )
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
      const { name } = body
      const described = describeRole({ name, description: body.description ?? null, createdAtMs: nowMs })
      if (isRefusal(described)) return described
      const refused = checkRoles(call.caller, [], [name, ...(body.includes ?? [])])
      if (refused !== undefined) return refused
      const ownerless = await ownerlessProblems(call, 'includes', body.includes ?? [])
      if (ownerless.length > 0) return asRefusal({ problems: ownerless })
      const asked = { name, members: membersOf(body), isNew: true, guarded: builtInRoles, nowMs }
      const events = () => [call.event('role_added', {}, { name })]
      const decided = await service.storage.roles.change(
        (known) => changeRole(asked, known),
        events,
        clientPartOf(name),
      )
      if (decided.problems !== undefined) return asRefusal({ problems: decided.problems })
      if (decided.role === undefined) return nameTaken(call, { kind: 'role', name }, 'name', { name })
      return { ...shown(decided.role), location: `/roles/${encodeURIComponent(name)}` }
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

/** A role that somebody or a group has and nobody described is a role without a description. */
async function find({ params, service, caller }: Call): Promise<Role | Refusal> {
  const { roles, userSearch, clientReferences } = service.storage
  const name = params.name ?? ''
  const role = await roles.find(name)
  if (role !== undefined) return role
  const isLinked = builtInRoles.includes(name) || linkedRoles(caller.catalogue).has(name)
  const isHeld = isLinked || (await userSearch.isHeld(name))
  const exists = isHeld || (await clientReferences.withAccountRole(name)).length > 0
  return exists ? undescribedRole(name) : unknownRole(name)
}

type Body = {
  readonly description?: string | null
  readonly includes?: readonly string[] | null
  readonly default?: boolean | null
}

/** A member that is null takes its default. */
function membersOf({ description, includes, default: isDefault }: Body): RoleMembers {
  return {
    ...(description !== undefined && { description }),
    ...(includes !== undefined && { includes: includes ?? [] }),
    ...(isDefault !== undefined && { isDefault: isDefault ?? false }),
  }
}

const defaults = { description: null, includes: null, default: null } as const

async function describe(call: Call<unknown, Body>): Promise<Outcome> {
  const { service, request, body, nowMs } = call
  const role = await find(call)
  if (isRefusal(role)) return role
  const { name } = role
  const members = membersOf(request.method === 'PUT' ? { ...defaults, ...body } : body)
  const linked = [name, ...(role.includes ?? []), ...(members.includes ?? [])]
  const no = call.expects(etagOf(roleRecord(role))) ?? checkRoles(call.caller, [], linked)
  if (no !== undefined) return no
  const readOnly = readOnlyFaults(roleRecord(role), { ...body }, ['name', 'created_at'])
  const judged = describeRole({ ...role, description: members.description ?? role.description })
  if (readOnly !== undefined) return withProblems(readOnly, judged)
  // An undescribed role stays so if nothing is said of it.
  const isSame = JSON.stringify(roleRecord({ ...role, ...members })) === JSON.stringify(roleRecord(role))
  if (isSame) return shown(role)
  const ownerless = await ownerlessProblems(call, 'includes', members.includes ?? [])
  if (ownerless.length > 0) return asRefusal({ problems: ownerless })
  let stale: Refusal | undefined
  const asked = { name, members, isNew: false, guarded: builtInRoles, nowMs }
  const decided = await service.storage.roles.change(
    (known): DecidedRole => {
      stale = call.expects(etagOf(roleRecord(known.roles.get(name) ?? undescribedRole(name))))
      return stale === undefined ? changeRole(asked, known) : {}
    },
    () => [call.event('role_changed', {}, { name, ...changedMembers(body) })],
  )
  if (stale !== undefined) return stale
  if (decided.problems !== undefined) return asRefusal({ problems: decided.problems })
  return decided.role === undefined ? nameTaken(call, { kind: 'role', name }, 'name', { name }) : shown(decided.role)
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
  const clients = await service.storage.clientReferences.withAccountRole(name)
  if (count + clients.length > 0 && query.force !== true) {
    const used_by = { count, users, ...(clients.length > 0 && { clients: clients.slice(0, namedHoldersAtMost) }) }
    return { refusal: refuse('admin_record_in_use', 'role', { name }), members: { used_by } }
  }
  const event = call.event('role_deleted', {}, { name, ...(count > 0 && { takenFrom: count }) })
  const isDeleted = await roles.deleteEverywhere(name, nowMs, [event])
  return isDeleted ? {} : unknownRole(name)
}

/**
 * Returns how many people have the role by themselves, by a group or by another role, and the user names of the first of them. Where they
 * are very many, those who have it themselves.
 */
async function holdersOf(
  { service, caller }: Call,
  name: string,
): Promise<{ count: number; users: readonly string[] }> {
  const { roles, userSearch } = service.storage
  const holders = await userSearch.given({ ...giversOf(name, caller.catalogue), isEverybodys: false })
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
