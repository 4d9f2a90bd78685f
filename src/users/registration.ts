/** Decides who may register. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { emailFault } from './email.ts'
import { roleProblems, sortedSet } from './roles.ts'
import type { User } from './user.ts'
import { noAttributes } from './user-attributes.ts'
import { noUserClaims } from './user-claims.ts'
import { broughtNameFault, userNameFault } from './user-name.ts'

/** The data of a new account. */
export type Registration = Pick<User, 'id' | 'name' | 'emailConfirmed' | 'passwordHash' | 'roles'> & {
  /** Null: the person has none. */
  readonly email: string | null
}

/** Returns all faults of a registration. The storage verb checks that name and address are free. */
export function registrationProblems({
  name,
  email,
  roles,
}: Pick<Registration, 'name' | 'email' | 'roles'>): Problem[] {
  return [...nameProblems(name), ...(email === null ? [] : emailProblems(email)), ...roleProblems(roles)]
}

/** Returns all faults of an invitation. `taken`: why the address could not be a new user's name and address. */
export function invitationProblems(
  { email, roles }: Pick<User, 'email' | 'roles'>,
  taken: readonly NameConflict[],
): Problem[] {
  const problems = [...emailProblems(email), ...roleProblems(roles)]
  const isTaken = taken.includes('email_taken') || taken.includes('name_taken')
  if (problems.length > 0 || !isTaken) return problems
  return [conflictProblem('email_taken', { name: email, email })]
}

export function nameProblems(name: string): Problem[] {
  const fault = userNameFault(name)
  return fault === undefined ? [] : [problem('username', 'The user name', fault)]
}

export function emailProblems(email: string): Problem[] {
  const fault = emailFault(email)
  return fault === undefined ? [] : [problem('email', 'The e-mail address', fault)]
}

/** Why the database refused a name or address: another user has it. */
export type NameConflict = 'name_taken' | 'name_confusable' | 'email_taken'

/** `isCrossed`: the name is another user's address, or the address another user's name. */
export function conflictProblem(
  conflict: NameConflict,
  { name, email }: Pick<User, 'name' | 'email'>,
  isCrossed = false,
): Problem {
  switch (conflict) {
    case 'name_confusable':
      return problem('username', `The user name ${name}`, "looks like another user's (UTS 39). Choose another name")
    case 'name_taken': {
      if (!isCrossed) return problem('username', 'There', `is a user called ${name} already`)
      const fault = "is another user's e-mail address, with which they sign in. Choose another name"
      return problem('username', name, fault)
    }
    case 'email_taken': {
      if (!isCrossed) return problem('email', 'Another user', `has the e-mail address ${email} already`)
      return problem('email', email, "is another user's name, with which they sign in. Choose another address")
    }
  }
}

/** Returns a new account. The storage verb checks that name and address are free. */
export function registerUser(registration: Registration, nowMs: number): Judged<User> {
  return judge(newUser(registration, nowMs), registrationProblems(registration))
}

/**
 * The same for a person of another system, whose user name comes as it is where the person can still type it, without blanks at its
 * ends, which no sign-in sends.
 */
export function bringUser(given: Registration, nowMs: number): Judged<User> {
  const registration = { ...given, name: given.name.trim() }
  const { name, email, roles } = registration
  const fault = broughtNameFault(name)
  const others = registrationProblems({ name: 'name', email, roles })
  const named = fault === undefined ? [] : [problem('username', 'The user name', fault)]
  return judge(newUser(registration, nowMs), [...named, ...others])
}

/**
 * Returns a new account for an identity at an external provider: without a password, and with the e-mail address, which is
 * unconfirmed, as user name. Whoever proves the address first owns it.
 */
export function registerExternalUser(id: string, email: string, nowMs: number): Judged<User> {
  const user = registerUser({ id, name: email, email, emailConfirmed: false, passwordHash: null, roles: [] }, nowMs)
  return isRefusal(user) ? user : { ...user, isUnclaimed: true }
}

/** Without failures, locks or ended sessions. */
function newUser(registration: Registration, nowMs: number): User {
  return {
    ...registration,
    email: registration.email ?? '',
    roles: sortedSet(registration.roles),
    disabled: false,
    lockedUntilMs: null,
    failedAttempts: 0,
    lockoutBeganAtMs: null,
    sessionsEndedAtMs: null,
    grantsEndedAtMs: null,
    claims: noUserClaims,
    attributes: noAttributes,
    deletionDueAtMs: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  }
}
