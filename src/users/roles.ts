/** Decides which roles a user may have. */
import { type Judged, judge, lineFault, type Problem, problem } from '../problem.ts'
import type { User } from './user.ts'

/** Limited because every access token carries all roles and travels in a header. */
const rolesAtMost = 50
const lengthAtMost = 100

export function roleProblems(roles: readonly string[]): Problem[] {
  const faults = roles.map((role) => lineFault(role, lengthAtMost)).filter((fault) => fault !== undefined)
  const problems = faults.map((fault) => problem('roles', 'A role', fault))
  if (sortedSet(roles).length > rolesAtMost)
    problems.push(problem('roles', 'A user', `has at most ${rolesAtMost} roles`))
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

export function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].sort()
}
