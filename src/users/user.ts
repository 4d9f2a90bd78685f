/**
 * Belongs here: rules about people as pure functions: sign-in, lockout, session, registration, changes. `now` is an
 * argument.
 * Belongs elsewhere: I/O, the clock, HTTP, and rules of the protocol (`protocol/`).
 */

import type { RequiredAction } from '../person-fields.ts'
import type { PairwiseSubjects } from './pairwise-subjects.ts'
import type { AttributeValues } from './user-attributes.ts'
import type { UserClaims } from './user-claims.ts'

/** A user of the service. Times are epoch milliseconds. */
export type User = {
  /** UUIDv7; becomes `sub` (OpenID Connect Core §2). Never reused. */
  readonly id: string
  /** As entered at registration. Unique by `normalizeName`. */
  readonly name: string
  /** Empty: the person has none. */
  readonly email: string
  readonly emailConfirmed: boolean
  /**
   * Whether others may have come with the same address, from a system that allows it. It then finds nobody, and nobody proved
   * it. Absent: no.
   */
  readonly sharesEmail?: true
  /** PHC string (argon2id); null: the account has no local password. */
  readonly passwordHash: string | null
  /** Sorted, without duplicates. */
  readonly roles: readonly string[]
  /** The ids of the groups that the user is in directly. Read with the user, and changed by the verbs of groups. Absent: none. */
  readonly groupIds?: readonly string[]
  /** Those that imports brought. Read with the user, and changed by verbs of their own. Absent: none. */
  readonly pairwiseSubjects?: PairwiseSubjects
  /** Locked by an operator without an end. Unlike a lockout, it also ended sessions and refresh chains. */
  readonly disabled: boolean
  /**
   * The account may not sign in before this time: a lockout after failed passwords, or an operator's lock with an end.
   */
  readonly lockedUntilMs: number | null
  /** Failed passwords since the last success or lockout. */
  readonly failedAttempts: number
  /** Start of the attack whose failed passwords locked the account; null: no attack, or an operator's lock. */
  readonly lockoutBeganAtMs: number | null
  /** Ends sessions created at or before this time (operator lock, new password). */
  readonly sessionsEndedAtMs: number | null
  /** Ends grants created at or before this time, with their refresh chains (operator lock). */
  readonly grantsEndedAtMs: number | null
  /** Claims that were set, beyond name and e-mail address. */
  readonly claims: UserClaims
  /** Values of declared attributes. */
  readonly attributes: AttributeValues
  /** When the account is deleted because its owner asked for it; a sign-in before then cancels that. Null: not at all. */
  readonly deletionDueAtMs: number | null
  /** Whoever made the account may not be the owner of its address; `isClaimable` says for how long. Absent: otherwise. */
  readonly isUnclaimed?: true
  /** What the next sign-in asks for before there is a session. Absent: nothing. */
  readonly requiredActions?: readonly RequiredAction[]
  /**
   * Whether the person had a second factor in another system, which did not come with them: a password alone never enters the
   * account. Absent: no.
   */
  readonly hadSecondFactor?: true
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

/** A user's account at an external provider. (provider, subject) is unique. */
export type ExternalLogin = {
  readonly provider: string
  /** The user's id at the provider. */
  readonly subject: string
  readonly userId: string
  readonly createdAtMs: number
}

/** Returns the form in which user names and e-mail addresses are unique: NFC, then case-folded. */
export function normalizeName(name: string): string {
  // Upper-casing folds letters with several lower-case forms (ß, final sigma, dotless i). Lower-casing first covers ẞ,
  // the one capital without an upper-case form.
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * Separates an address that finds nobody from the id that makes its key unique. No name and no address contains it: neither may
 * have control characters.
 */
const keySeparator = '\u0001'

/** Returns the text under which an address is unique and found. Who has none, or shares one, is found by no address. */
export function emailKey({ id, email, sharesEmail }: Pick<User, 'id' | 'email' | 'sharesEmail'>): string {
  const key = normalizeName(email)
  return email === '' || sharesEmail === true ? `${key}${keySeparator}${id}` : key
}

/** Whether the key is that of an address that others may have, too. */
export const isSharedKey = (key: string): boolean => key.indexOf(keySeparator) > 0

/** Whether mail to the address reaches this person, as far as anybody knows. */
export const hasOwnAddress = ({ email, sharesEmail }: Pick<User, 'email' | 'sharesEmail'>): boolean =>
  email !== '' && sharesEmail !== true

/** Returns what begins the keys of everybody who shares the address. */
export const sharedKeys = (email: string): string => `${normalizeName(email)}${keySeparator}`

/** An id is the `sub` of tokens, which OpenID Connect Core §2 bounds. Other systems have other ids than ours. */
export const isSubject = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)
export const subjectRule = 'must have 1 to 255 characters of ASCII, no spaces'

/**
 * Returns the form in which the name of an external provider is stored and compared: settings may spell it in any case, and
 * so may another system. The name that people see is another.
 */
export function normalizeProvider(name: string): string {
  return name.toLowerCase()
}

/**
 * Returns the start of something created now: after the end of what existed before, even if a machine with a fast clock
 * set that end. Otherwise it would start ended.
 */
export function beganAtMs(nowMs: number, endedAtMs: number | null): number {
  return endedAtMs === null ? nowMs : Math.max(nowMs, endedAtMs + 1)
}

/**
 * Returns the end of everything that exists now. Never before the previous end, since when new things may have started.
 */
export function endAtMs(nowMs: number, lastEndMs: number | null): number {
  return lastEndMs === null ? nowMs : Math.max(nowMs, lastEndMs + 1)
}

/** Returns the end of all sessions and refresh tokens. */
export function everythingEnded(
  { sessionsEndedAtMs, grantsEndedAtMs }: Pick<User, 'sessionsEndedAtMs' | 'grantsEndedAtMs'>,
  nowMs: number,
) {
  return {
    sessionsEndedAtMs: endAtMs(nowMs, sessionsEndedAtMs),
    grantsEndedAtMs: endAtMs(nowMs, grantsEndedAtMs),
  }
}

/** Whether all sessions of the user went on between two readings. */
export function hasSameSessions(one: Pick<User, 'sessionsEndedAtMs'>, other: Pick<User, 'sessionsEndedAtMs'>): boolean {
  return one.sessionsEndedAtMs === other.sessionsEndedAtMs
}

/** What tokens and userinfo responses are made of. */
export type Described = Pick<
  User,
  | 'id'
  | 'name'
  | 'email'
  | 'emailConfirmed'
  | 'roles'
  | 'groupIds'
  | 'pairwiseSubjects'
  | 'claims'
  | 'attributes'
  | 'createdAtMs'
>

const describedMembers = Object.keys({
  id: true,
  name: true,
  email: true,
  emailConfirmed: true,
  roles: true,
  groupIds: true,
  pairwiseSubjects: true,
  claims: true,
  attributes: true,
  createdAtMs: true,
} satisfies Record<keyof Described, true>) as readonly (keyof Described)[]

/** Returns the values that a person is described by, in one order. */
export const describedBy = (person: Described): readonly unknown[] => describedMembers.map((name) => person[name])

/** Returns the user as tokens and userinfo responses describe it. */
export function subjectOf({ id, name, email, emailConfirmed, roles, claims, createdAtMs }: Described) {
  // Not `updatedAtMs`, which also tells of failed passwords.
  const updatedAt = claims.updated_at ?? Math.floor(createdAtMs / 1000)
  const hasEmail = email !== ''
  return {
    ...{ id, name, roles, claims, updatedAt },
    email: hasEmail ? email : undefined,
    emailVerified: hasEmail ? emailConfirmed : undefined,
  }
}
