/** A person as a file declares them. */
import { type Judged, type Problem, problem } from '../problem.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { changeUser, type UserMembers, userMemberProblem, withPassword } from '../users/changes.ts'
import { registerUser } from '../users/registration.ts'
import { roleProblems, sortedSet } from '../users/roles.ts'
import type { User } from '../users/user.ts'
import { settableClaims } from '../users/user-claims.ts'
import { userRecord } from '../users/user-record.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly, isAsStored } from './read-only.ts'
import { isTexts } from './values.ts'

/** A password that a file refers to. */
export type DeclaredPassword = {
  readonly hash: string
  /** Whether it is the stored one. */
  readonly isCurrent: boolean
}

/** Locks are what operators and wrong passwords do from one day to the next, so files say nothing of them. */
const readOnly = ['created_at', 'locked_until', 'disabled']

/**
 * Returns the declared person; the stored one if they do not differ. Members that the file leaves out are removed, but for
 * the password and a lock, which stay. `newId`: for a new person whom the file gives none.
 */
export function declaredUser(
  before: User | undefined,
  declaration: Declaration,
  password: DeclaredPassword | undefined,
  newId: () => string,
  nowMs: number,
): Judged<User> {
  const { id: username, members } = declaration
  const shown = before && userRecord(before, nowMs)
  const isPasswordCurrent = password === undefined || password.isCurrent
  if (before !== undefined && isPasswordCurrent && isAsStored(members, shown, [...readOnly, 'id', 'username'])) {
    return before
  }
  const { id = before?.id, email, email_verified = false, roles = [], ...rest } = members
  const problems: Problem[] = [
    ...changedReadOnly(members, shown, readOnly),
    ...idProblems(id, before),
    ...(typeof email === 'string' ? [] : [problem('email', 'A user', 'needs email, an address')]),
    ...(typeof email_verified === 'boolean'
      ? []
      : [problem('email_verified', 'email_verified', 'must be true or false')]),
    ...(isTexts(roles) ? roleProblems(roles) : [problem('roles', 'roles', 'must be a list of texts')]),
    ...Object.keys(rest)
      .filter((member) => !readOnly.includes(member))
      .map(userMemberProblem)
      .filter((found) => found !== undefined),
  ]
  if (problems.length > 0 || typeof email !== 'string' || !isTexts(roles)) return asRefusal({ problems })
  const base = before ?? registered(declaration, { id, email, roles }, newId, nowMs)
  if (isRefusal(base)) return base
  const claims = Object.fromEntries(Object.keys(settableClaims).map((claim) => [claim, rest[claim] ?? null]))
  const changes = { ...claims, username, email, email_verified: email_verified === true } as UserMembers
  const changed = changeUser(base, changes, nowMs)
  if (isRefusal(changed)) return changed
  const next = { ...changed, roles: sortedSet(roles) }
  if (isPasswordCurrent) return next
  return before === undefined ? { ...next, passwordHash: password.hash } : withPassword(next, password.hash, nowMs)
}

function registered(
  { id: name }: Declaration,
  { id, email, roles }: { readonly id: unknown; readonly email: string; readonly roles: readonly string[] },
  newId: () => string,
  nowMs: number,
): Judged<User> {
  const isGiven = typeof id === 'string'
  const data = { id: isGiven ? id : newId(), name, email, emailConfirmed: false, passwordHash: null, roles }
  const user = registerUser(data, nowMs)
  // Somebody with this id may have been deleted here: what they left must not belong to the new account.
  return isGiven && !isRefusal(user) ? { ...user, sessionsEndedAtMs: nowMs, grantsEndedAtMs: nowMs } : user
}

/** An id becomes `sub`. A file gives it so that a person who moves keeps it. */
function idProblems(id: unknown, before: User | undefined): Problem[] {
  if (id === undefined || id === before?.id) return []
  if (before !== undefined) return [problem('id', 'id', `never changes; ${before.name} has the id ${before.id}`)]
  const isUuid = typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  return isUuid ? [] : [problem('id', 'id', 'must be a UUID in small letters')]
}
