/** A person as a file declares them. */
import { isDeepStrictEqual } from 'node:util'
import { fieldEntries, unfiledMembers } from '../person-fields.ts'
import { type Judged, type Problem, problem } from '../problem.ts'
import { isObject, isTexts } from '../protocol/json-value.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { type AttributeChanges, type AttributeRules, changeAttributes } from '../users/attribute-changes.ts'
import { changeUser, type UserMembers, userMemberProblem, withPassword } from '../users/changes.ts'
import { ownClaims } from '../users/own-profile.ts'
import { registerUser } from '../users/registration.ts'
import { roleProblems, sortedSet } from '../users/roles.ts'
import { isSubject, normalizeName, subjectRule, type User } from '../users/user.ts'
import { claimFault, proofs, type SettableClaim } from '../users/user-claims.ts'
import { userRecord } from '../users/user-record.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly, isAsStored } from './declared-members.ts'

/** A password that a file refers to. */
export type DeclaredPassword = {
  /** Null: the person has another one, which stays. */
  readonly hash: string | null
  /** Whether it is the stored one. */
  readonly isCurrent: boolean
}

/** What people set and prove themselves. Files say it of new people alone, and later stay behind what the people chose. */
const personal: readonly SettableClaim[] = [
  ...ownClaims,
  ...proofs.flatMap(({ flag, proves }) => ((ownClaims as readonly string[]).includes(proves) ? flag : [])),
]

const claimNames = fieldEntries.map(([claim]) => claim)

/** Claims that operators own, whoever the person is. */
const operators = claimNames.filter((claim) => !personal.includes(claim))

/**
 * Returns the declared person; the stored one if they do not differ. Of a new person, the file says everything. Of one who is
 * there it says what operators own: user name, roles and `preferred_username`, which are removed if it leaves them out, and
 * the address if it has one. That an address is proved is never taken back. `newId`: for a new person whom the file gives none.
 */
export function declaredUser(
  before: User | undefined,
  declaration: Declaration,
  password: DeclaredPassword | undefined,
  newId: () => string,
  rules: AttributeRules,
  nowMs: number,
): Judged<User> {
  const { id: username } = declaration
  // What `user show` says besides follows from groups and other roles.
  const { effective_roles: _, groups: __, ...members } = declaration.members
  const shown = before && userRecord(before, nowMs)
  const { id = before?.id, email = before?.email, email_verified, roles = [], attributes, ...rest } = members
  const problems: Problem[] = [
    ...changedReadOnly(members, shown, unfiledMembers),
    ...idProblems(id, before),
    ...(typeof email === 'string' ? [] : [problem('email', 'A user', 'needs email, an address')]),
    ...(email_verified === undefined || typeof email_verified === 'boolean'
      ? []
      : [problem('email_verified', 'email_verified', 'must be true or false')]),
    ...(isTexts(roles) ? roleProblems(roles) : [problem('roles', 'roles', 'must be a list of texts')]),
    ...Object.keys(rest)
      .filter((member) => !unfiledMembers.includes(member))
      .map((member) => userMemberProblem(member))
      .filter((found) => found !== undefined),
    ...(before === undefined ? [] : personalProblems(before, rest)),
    ...(attributes === undefined || isObject(attributes)
      ? []
      : [problem('attributes', 'attributes', 'must be an object of values by the names of attributes')]),
  ]
  if (problems.length > 0 || typeof email !== 'string' || !isTexts(roles)) return asRefusal({ problems })
  if (
    before !== undefined &&
    password?.hash == null &&
    isAsStored(members, shown, [...unfiledMembers, 'id', 'username'])
  ) {
    return before
  }
  const base = before ?? registered(declaration, { id, email, roles }, newId, nowMs)
  if (isRefusal(base)) return base
  const own = before === undefined ? claimNames : operators
  const claims = Object.fromEntries(own.map((claim) => [claim, rest[claim] ?? null]))
  const isSameAddress = before !== undefined && normalizeName(before.email) === normalizeName(email)
  const isProved = email_verified === true || (isSameAddress && before.emailConfirmed)
  const changed = changeUser(base, { ...claims, username, email, email_verified: isProved } as UserMembers, nowMs)
  if (isRefusal(changed)) return changed
  const values = operatorsValues(base, isObject(attributes) ? attributes : {}, rules)
  const described = changeAttributes(changed, values, 'operator', rules, nowMs)
  if (isRefusal(described)) return described
  const next = { ...described, roles: sortedSet(roles) }
  if (password === undefined || password.isCurrent || password.hash === null) return next
  return before === undefined ? { ...next, passwordHash: password.hash } : withPassword(next, password.hash, nowMs)
}

/** Whether a value is the person's own, which files leave as it is. */
const isLeft = ({ attributes }: User, name: string, declared: AttributeRules['declared']): boolean =>
  declared.get(name)?.editedBy === 'person' && attributes[name] !== undefined

/**
 * Returns the values that the file decides: what it leaves out is removed, but for what people and sources set. Those it decides of a new
 * person alone, as it does the claims.
 */
function operatorsValues(
  before: User,
  given: Readonly<Record<string, unknown>>,
  { declared }: AttributeRules,
): AttributeChanges {
  const isOperators = (name: string) => declared.get(name)?.editedBy === 'operator'
  const left = Object.keys(before.attributes).filter((name) => isOperators(name) && !Object.hasOwn(given, name))
  const kept = Object.entries(given).filter(([name]) => !isLeft(before, name, declared))
  return Object.fromEntries([...left.map((name) => [name, null]), ...kept])
}

/** Returns the members that the person has otherwise than the file says, and that stay. */
export function leftToPerson(
  before: User,
  { members }: Declaration,
  password: DeclaredPassword | undefined,
  { declared }: AttributeRules,
): readonly string[] {
  const stored: Readonly<Record<string, unknown>> = before.claims
  const others = personal.filter(
    (claim) => Object.hasOwn(members, claim) && !isDeepStrictEqual(members[claim] ?? null, stored[claim] ?? null),
  )
  const values = isObject(members.attributes) ? Object.entries(members.attributes) : []
  const otherValues = values.filter(
    ([name, value]) => isLeft(before, name, declared) && !isDeepStrictEqual(value, before.attributes[name]),
  )
  const isUnproved = members.email_verified === false && before.emailConfirmed
  const keepsAddress =
    members.email === undefined || normalizeName(String(members.email)) === normalizeName(before.email)
  return [
    ...others,
    ...otherValues.map(([name]) => name),
    ...(isUnproved && keepsAddress ? ['email_verified'] : []),
    ...(password?.hash === null ? ['password'] : []),
  ]
}

/** A value that stays behind another is still one that could be set. */
function personalProblems({ claims }: User, rest: Readonly<Record<string, unknown>>): Problem[] {
  const stored: Readonly<Record<string, unknown>> = claims
  return personal.flatMap((claim) => {
    const value = rest[claim] ?? null
    const fault = value === null || isDeepStrictEqual(value, stored[claim]) ? undefined : claimFault(claim, value)
    return fault === undefined ? [] : [problem(claim, claim, fault)]
  })
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
  return typeof id === 'string' && isSubject(id) ? [] : [problem('id', 'id', subjectRule)]
}
