/** Changes of a user, and their consequences. Times are epoch milliseconds. */
import {
  fieldEntries,
  fixedMembers,
  type PersonField,
  type PersonMember,
  type PersonRecord,
  personMembers,
  type SetMember,
  setMembers,
} from '../person-fields.ts'
import { type Judged, judge, memberProblem, type Problem, problem } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { emailProblems, nameProblems, registrationProblems } from './registration.ts'
import { askedProblems, readActions, withAsked, withoutAsked } from './required-actions.ts'
import { endAtMs, everythingEnded, normalizeName, type User } from './user.ts'
import { type ClaimChanges, changeClaims, claimFault, proofs, type SettableClaim } from './user-claims.ts'

/** The year 9999: an operator's lock without an end. */
export const noEndMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Ends sessions and refresh tokens at their next use. `untilMs` null: no end. */
export function lock(user: User, untilMs: number | null, nowMs: number): Judged<User> {
  // NaN, which is no time, is refused as well.
  const hasPassed = untilMs !== null && !(untilMs > nowMs)
  const locked = {
    ...user,
    disabled: untilMs === null,
    lockedUntilMs: untilMs ?? noEndMs,
    lockoutBeganAtMs: null,
    sessionsEndedAtMs: endAtMs(nowMs, user.sessionsEndedAtMs),
    grantsEndedAtMs: endAtMs(nowMs, user.grantsEndedAtMs),
    updatedAtMs: nowMs,
  }
  return judge(locked, hasPassed ? [problem('until', 'The end of the lock', 'has passed already')] : [])
}

/** Ends an operator's lock, and a lockout after failed passwords. */
export function unlock(user: User, nowMs: number): User {
  return {
    ...user,
    disabled: false,
    lockedUntilMs: null,
    failedAttempts: 0,
    lockoutBeganAtMs: null,
    updatedAtMs: nowMs,
  }
}

/** Ends sessions that used the old password. A lock stays, because its end is a separate decision. */
export function withPassword(user: User, passwordHash: string, nowMs: number): User {
  const sessionsEndedAtMs = endAtMs(nowMs, user.sessionsEndedAtMs)
  return { ...user, passwordHash, failedAttempts: 0, sessionsEndedAtMs, updatedAtMs: nowMs }
}

/** Sets the password that the person chose while signed in. `revoke`: refresh tokens end, too. */
export function withOwnPassword(user: User, passwordHash: string, revoke: boolean, nowMs: number): User {
  const next = withoutAsked(withPassword(user, passwordHash, nowMs), 'update_password')
  return revoke ? { ...next, grantsEndedAtMs: endAtMs(nowMs, user.grantsEndedAtMs) } : next
}

/**
 * Sets a password after the person proved the mailbox: the address is confirmed, and a lockout after failed passwords is
 * over. An operator's lock stays. `revoke`: refresh tokens end, too. `byMail`: false for a link that
 * an operator handed over, which proves no address.
 */
export function withResetPassword(
  user: User,
  passwordHash: string,
  revoke: boolean,
  nowMs: number,
  byMail = true,
): User {
  const isProven = byMail && user.sharesEmail !== true && user.email !== ''
  const own = claimed(withOwnPassword(user, passwordHash, revoke, nowMs))
  const next = isProven ? { ...withoutAsked(own, 'verify_email'), emailConfirmed: true } : own
  const isLockout = !user.disabled && user.lockoutBeganAtMs !== null
  return {
    ...next,
    ...(isLockout && { lockedUntilMs: null, lockoutBeganAtMs: null }),
  }
}

/**
 * Sets a confirmed address. An address that was the user name, too, stays both: refused if the new one cannot be a user
 * name, because the former address is not the person's any more. The storage verb checks that it is free.
 */
export function withConfirmedEmail(user: User, email: string, nowMs: number): Judged<User> {
  const wasName = normalizeName(user.name) === normalizeName(user.email)
  return changeUser(user, { ...(wasName && { username: email }), email, email_verified: true }, nowMs)
}

/**
 * Restores the former address after a change that its owner did not make: sessions and refresh tokens end, because
 * somebody else may have them, and so does a deletion that was asked for.
 */
export function withRestoredEmail(user: User, email: string, nowMs: number): Judged<User> {
  const wasName = normalizeName(user.name) === normalizeName(user.email)
  const username = wasName && nameProblems(email).length === 0 ? email : user.name
  const restored = changeUser(user, { username, email, email_verified: true }, nowMs)
  if (isRefusal<object>(restored)) return restored
  return { ...restored, ...everythingEnded(user, nowMs), deletionDueAtMs: null }
}

/**
 * Confirms the address of an account that nobody proved, by somebody else than who asked: sessions, refresh tokens and the
 * password end, so that nobody else can enter it until its owner chose a new password.
 */
export function withProvenOwner(user: User, email: string, nowMs: number): Judged<User> {
  const confirmed = withConfirmedEmail(user, email, nowMs)
  if (isRefusal<object>(confirmed)) return confirmed
  return { ...confirmed, ...everythingEnded(user, nowMs), passwordHash: null, isUnclaimed: true }
}

/** Whoever changes an address that is not theirs may have added a way to sign in before. */
const beforeChangeMs = 86_400_000

/** Returns since when an undo of a change of the address removes what was added to the account. */
export function undoneSinceMs(changedAtMs: number): number {
  return Math.max(0, changedAtMs - beforeChangeMs)
}

/** Signs the user out everywhere. Refresh tokens stay valid. */
export function endSessions(user: User, nowMs: number): User {
  return { ...user, sessionsEndedAtMs: endAtMs(nowMs, user.sessionsEndedAtMs), updatedAtMs: nowMs }
}

/** Members by their names in JSON. */
export type UserMembers = ClaimChanges & { readonly [Member in SetMember]?: PersonRecord[Member] }

/** Members that can be set, with the type of each. */
export const userMembers = Object.fromEntries([
  ...setMembers.map((name) => [name, personMembers[name].type]),
  ...fieldEntries.map(([name, { type }]) => [name, type]),
]) as Readonly<Record<keyof UserMembers, PersonField['type'] | PersonMember['type']>>

/** Members with their own command, or that never change. */
const unsettable: ReadonlyMap<string, string> = new Map([
  ...fixedMembers.map((name) => [name, personMembers[name].changes] as const),
  ...Object.entries({
    sub: 'never changes',
    updated_at: 'follows from other changes',
    password: 'is changed with: latchkey user set-password',
  }),
])

/** Returns why a member cannot be set; undefined: it can. `attributes`: names of declared ones, which may stand beside members. */
export function userMemberProblem(member: string, attributes: readonly string[] = []): Problem | undefined {
  return memberProblem(member, [...Object.keys(userMembers), ...attributes], unsettable, 'a user')
}

/**
 * Sets members. A new address is unconfirmed unless `email_verified` says otherwise. Sessions, consents and refresh
 * tokens stay valid, because they refer to the id. The storage verb checks that name and address are free.
 */
export function changeUser(user: User, members: UserMembers, nowMs: number): Judged<User> {
  const { username = user.name, email: given, email_verified: verified, ...others } = members
  const { required_actions: asked, had_second_factor: had, ...changes } = others
  const email = given === undefined ? user.email : (given ?? '')
  const isSameAddress = normalizeName(email) === normalizeName(user.email)
  const emailConfirmed = verified ?? (isSameAddress && user.emailConfirmed)
  // Unchanged values are not validated again: the rules may have become stricter since.
  const problems = [
    ...(username === user.name ? [] : nameProblems(username)),
    ...(email === user.email || given === null ? [] : emailProblems(email)),
    ...(emailConfirmed && email === '' ? [problem('email_verified', 'email_verified', 'needs an e-mail address')] : []),
    ...askedProblems(asked),
    ...claimsProblems(user.claims, changes),
  ]
  // Whoever proves the address claims the account.
  const isProven = emailConfirmed && !(isSameAddress && user.emailConfirmed)
  const { sharesEmail, ...alone } = user
  const named = {
    ...(sharesEmail === true && isSameAddress && !emailConfirmed ? user : alone),
    ...{ name: username, email, emailConfirmed, claims: changeClaims(user.claims, changes) },
  }
  const proven = isProven ? claimed(named) : named
  const next = withAsked(
    isProven ? withoutAsked(proven, 'verify_email') : proven,
    asked === undefined ? undefined : readActions(asked),
    had,
    nowMs,
  )
  return judge({ ...next, claims: dated(next, user, nowMs), updatedAtMs: nowMs }, problems)
}

/** Returns all faults of the members of a new account. */
export function newUserProblems(
  { name, email, roles }: Parameters<typeof registrationProblems>[0],
  { required_actions: asked, had_second_factor: _, ...claims }: UserMembers,
): Problem[] {
  return [...registrationProblems({ name, email, roles }), ...askedProblems(asked), ...claimsProblems({}, claims)]
}

function claimsProblems(before: User['claims'], changes: ClaimChanges): Problem[] {
  const next = changeClaims(before, changes)
  const unfounded = proofs.filter(
    ({ flag, proves }) => typeof changes[flag] === 'boolean' && next[proves] === undefined,
  )
  return [...claimProblems(changes), ...unfounded.map(({ flag, proves }) => problem(flag, flag, `needs a ${proves}`))]
}

function claimProblems(changes: ClaimChanges): Problem[] {
  return Object.entries(changes).flatMap(([claim, value]) => {
    const fault = value === null ? undefined : claimFault(claim as SettableClaim, value)
    return fault === undefined ? [] : [problem(claim, claim, fault)]
  })
}

/** Returns the claims with the time of the change, if userinfo responses change with it. */
function dated(next: User, before: User, nowMs: number): User['claims'] {
  const shown = ({ name, email, emailConfirmed, claims }: User) => {
    const members = Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))
    return JSON.stringify([name, email, emailConfirmed, members])
  }
  return shown(next) === shown(before) ? before.claims : { ...next.claims, updated_at: Math.floor(nowMs / 1000) }
}

/** Whoever meant to register themselves finds out within minutes. A second factor that was set up later stays. */
const claimableMs = 7 * 86_400_000

/**
 * Whether the owner of the address may take the account over, with all that was added to it removed, because whoever made it
 * may be somebody else: an account of a provider's registration, until somebody proves the address; and one whose address was
 * confirmed in a browser other than the one that asked, for seven days.
 */
export function isClaimable(user: User, nowMs: number): boolean {
  if (user.isUnclaimed !== true) return false
  return !user.emailConfirmed || nowMs - user.createdAtMs < claimableMs
}

/** Returns the account as its owner's, whom nobody may follow. */
export function claimed(user: User): User {
  const { isUnclaimed: _, ...owned } = user
  return owned
}

/** Whether the typed name is the user's. */
export function isOwnName(user: User, typed: string): boolean {
  return normalizeName(typed.trim()) === normalizeName(user.name)
}

/** Plans the deletion that the owner asks for. A planned one keeps its time: asking again neither hastens nor delays it. */
export function planDeletion(user: User, delaySeconds: number, nowMs: number): User & { deletionDueAtMs: number } {
  return { ...user, deletionDueAtMs: user.deletionDueAtMs ?? nowMs + delaySeconds * 1000, updatedAtMs: nowMs }
}

export function cancelDeletion(user: User, nowMs: number): User {
  return user.deletionDueAtMs === null ? user : { ...user, deletionDueAtMs: null, updatedAtMs: nowMs }
}
