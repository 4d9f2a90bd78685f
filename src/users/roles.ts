/** Decides which roles a user may have, and how a role is described. */
import { addressFault, type Judged, judge, lineFault, type Problem, problem } from '../problem.ts'
import type { User } from './user.ts'

/**
 * Of a person, without those that groups and other roles give. Limited because every access token carries all roles and travels in a
 * header.
 */
export const rolesAtMost = 50
const lengthAtMost = 100
const descriptionAtMost = 1000

/** The description of a role. A role exists by being given, described or not. */
export type Role = {
  readonly name: string
  readonly description: string | null
  readonly createdAtMs: number
  /** Roles that whoever has this one has, too. Sorted, without duplicates. Absent: none. */
  readonly includes?: readonly string[]
  /** Everybody has it. Absent: only who is given it. */
  readonly isDefault?: true
}

/** A role that exists by being given: it has no record. */
export const undescribedRole = (name: string): Role => ({ name, description: null, createdAtMs: 0 })

export const isUndescribed = ({ createdAtMs }: Role): boolean => createdAtMs === 0

export function describeRole(role: Role): Judged<Role> {
  const { name, description } = role
  const nameFault = roleNameFault(name)
  const fault = description === null ? undefined : lineFault(description, descriptionAtMost)
  return judge(role, [
    ...(nameFault === undefined ? [] : [problem('name', 'A role', nameFault)]),
    ...(fault === undefined ? [] : [problem('description', 'The description', fault)]),
  ])
}

/** `created_at`: null for a role without a description. */
export function roleRecord({ name, description, createdAtMs, includes = [], isDefault = false }: RoleOfRecord) {
  const created_at = createdAtMs === 0 ? null : new Date(createdAtMs).toISOString()
  return { name, description, includes, default: isDefault, created_at }
}

type RoleOfRecord = Omit<Role, 'isDefault'> & { readonly isDefault?: boolean }

function roleNameFault(name: string): string | undefined {
  return lineFault(name, lengthAtMost) ?? addressFault(name)
}

export function roleProblems(roles: readonly string[]): Problem[] {
  return roleListProblems(roles).map((one) => ({ ...one, member: 'roles' }))
}

/**
 * Returns the problems of a list of roles, each with the place of its role as the member; of the list as a whole without one.
 * `undefined` is in the place of what is no role.
 */
export function roleListProblems(roles: readonly (string | undefined)[]): Problem[] {
  const named = roles.filter((role) => role !== undefined)
  const problems = roles.flatMap((role, at) => {
    const fault = role === undefined ? undefined : roleNameFault(role)
    return fault === undefined ? [] : [problem(`${at}`, 'A role', fault)]
  })
  if (sortedSet(named).length > rolesAtMost) problems.push(problem('', 'A user', `has at most ${rolesAtMost} roles`))
  return problems
}

/** Returns the user with the role; unchanged if the user already has it. */
export function withRole(user: User, role: string, nowMs: number): Judged<User> {
  if (user.roles.includes(role)) return user
  const roles = sortedSet([...user.roles, role])
  return judge({ ...user, roles, updatedAtMs: nowMs }, roleProblems(roles))
}

/** Returns the user without the role; unchanged if the user does not have it. */
export function withoutRole(user: User, role: string, nowMs: number): User {
  if (!user.roles.includes(role)) return user
  return { ...user, roles: user.roles.filter((one) => one !== role), updatedAtMs: nowMs }
}

/** Returns the user with exactly these roles; unchanged if it has them. */
export function withRoles(user: User, roles: readonly string[], nowMs: number): Judged<User> {
  const next = sortedSet(roles)
  if (JSON.stringify(next) === JSON.stringify(user.roles)) return user
  return judge({ ...user, roles: next, updatedAtMs: nowMs }, roleProblems(next))
}

export function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].sort()
}
