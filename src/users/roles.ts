/** Which roles a user may be given. */
import { type Judged, judge, lineFault, type Problem, problem } from '../problem.ts'
import type { User } from './user.ts'

/** Every access token carries them all, and travels in a header. */
const rolesAtMost = 50
const lengthAtMost = 100

export function roleProblems(roles: readonly string[]): Problem[] {
  const faults = roles.map((role) => lineFault(role, lengthAtMost)).filter((fault) => fault !== undefined)
  const problems = faults.map((fault) => problem('roles', 'A role', fault))
  if (sortedSet(roles).length > rolesAtMost)
    problems.push(problem('roles', 'A user', `has at most ${rolesAtMost} roles`))
  return problems
}

/** The user with the role; as it was when the role is there already. */
export function withRole(user: User, role: string, nowMs: number): Judged<User> {
  if (user.roles.includes(role)) return { value: user }
  const roles = sortedSet([...user.roles, role])
  return judge({ ...user, roles, updatedAtMs: nowMs }, roleProblems(roles))
}

/** The user without the role; as it was when the role is not there. */
export function withoutRole(user: User, role: string, nowMs: number): User {
  if (!user.roles.includes(role)) return user
  return { ...user, roles: user.roles.filter((one) => one !== role), updatedAtMs: nowMs }
}

export function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].sort()
}
