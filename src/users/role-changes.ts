/** Decides what roles include and who has them, and what would give the roles of administrators to many at once. */

import { type Problem, problem, type Rejection } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { effectiveRoles, includeRoles, type RoleRule, withoutDefaults } from './effective-roles.ts'
import type { Group } from './groups.ts'
import { describeRole, type Role, roleListProblems, sortedSet } from './roles.ts'

export type KnownRoles = {
  readonly roles: ReadonlyMap<string, Role>
  /** Deleted a moment ago: they cannot be described until nobody has them. */
  readonly leaving: ReadonlySet<string>
  /** The id of the client that a new role would belong to, which is not there; absent: it is, or the role would belong to none. */
  readonly missingClient?: string | undefined
}

/** What is asked for of a role. Absent: as it is. */
export type RoleMembers = {
  readonly description?: string | null
  readonly includes?: readonly string[]
  readonly isDefault?: boolean
}

/** `role`: as it is afterwards. */
export type DecidedRole = {
  readonly changes?: readonly Role[]
  readonly role?: Role
  readonly refused?: 'exists' | 'leaving'
  readonly problems?: readonly Problem[]
}

type Asked = {
  readonly name: string
  readonly members: RoleMembers
  /** Whether it is to be described for the first time. */
  readonly isNew: boolean
  /** Roles that may be neither included nor everybody's. */
  readonly guarded: readonly string[]
  readonly nowMs: number
}

export function changeRole({ name, members, isNew, guarded, nowMs }: Asked, known: KnownRoles): DecidedRole {
  const before = known.roles.get(name)
  if (isNew && before !== undefined) return { refused: 'exists' }
  if (before === undefined && known.leaving.has(name)) return { refused: 'leaving' }
  const { description = before?.description ?? null, includes = before?.includes ?? [] } = members
  const isDefault = members.isDefault ?? before?.isDefault === true
  const rules = new Map([...known.roles.values()].map((role) => [role.name, ruleOf(role)]))
  const described = describeRole({ name, description, createdAtMs: before?.createdAtMs ?? nowMs })
  const ruled = includeRoles({ name, includes, isDefault }, rules)
  const problems = [
    ...(isNew && known.missingClient !== undefined ? [missingClient(known.missingClient)] : []),
    ...problemsIn(described),
    ...problemsIn(ruled),
    ...roleListProblems(includes).map((one) => ({ ...one, member: 'includes' })),
    ...guardedProblems(before, { name, includes, isDefault }, rules, guarded),
  ]
  if (problems.length > 0) return { problems }
  const role: Role = {
    ...{ name, description, createdAtMs: before?.createdAtMs ?? nowMs },
    ...(includes.length > 0 && { includes: sortedSet(includes) }),
    ...(isDefault && { isDefault }),
  }
  return JSON.stringify(role) === JSON.stringify(before) ? { role } : { changes: [role], role }
}

function guardedProblems(
  before: Role | undefined,
  after: RoleRule,
  rules: ReadonlyMap<string, RoleRule>,
  guarded: readonly string[],
): Problem[] {
  const sources = { groups: new Map<string, Group>(), roles: withoutDefaults(rules) }
  const reached = (roles: readonly string[]) => effectiveRoles(roles, [], sources).map(({ role }) => role)
  const added = after.includes.filter((role) => before?.includes?.includes(role) !== true)
  const included = guarded.find((role) => reached(added).includes(role))
  const everybodys = guarded.find((role) => reached([after.name, ...after.includes]).includes(role))
  return [
    ...(included === undefined ? [] : [guardedProblem('includes', included)]),
    ...(after.isDefault && before?.isDefault !== true && everybodys !== undefined
      ? [guardedProblem('default', everybodys)]
      : []),
  ]
}

/** What a group would newly give to its members, by itself, by the groups that it is in, or by what roles include. */
export function groupProblems(
  id: string,
  before: ReadonlyMap<string, Group>,
  after: ReadonlyMap<string, Group>,
  rules: ReadonlyMap<string, RoleRule>,
  guarded: readonly string[],
): Problem[] {
  const roles = withoutDefaults(rules)
  const given = (groups: ReadonlyMap<string, Group>) =>
    effectiveRoles([], [id], { groups, roles }).map(({ role }) => role)
  const [had, has] = [given(before), given(after)]
  return guarded
    .filter((role) => has.includes(role) && !had.includes(role))
    .map((role) => guardedProblem('roles', role))
}

function guardedProblem(member: string, role: string): Problem {
  const why = 'gives rights over the whole service, and would be given to many at once'
  return problem(member, `The role ${role}`, `${why}. Commands and apply do it with --allow-admin`)
}

/** Returns what a role brings with it. */
export const ruleOf = ({ name, includes = [], isDefault }: Role): RoleRule => ({
  ...{ name, includes },
  isDefault: isDefault === true,
})

const problemsIn = (judged: object): readonly Problem[] =>
  isRefusal(judged) && 'problems' in judged ? (judged as Rejection).problems : []

/** The problem of a role whose client is not there. */
export function missingClient(clientId: string): Problem {
  return problem('name', `The client ${clientId}`, 'is not there, and the role would belong to it')
}
