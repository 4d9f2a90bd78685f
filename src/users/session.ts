import type { Proven } from '../proof.ts'
import { type Eligible, maySignIn, type SignInRules } from './eligibility.ts'
import type { Described, User } from './user.ts'

/** A user's session in one browser. Times are epoch milliseconds. */
export type Session = {
  /** UUIDv7; the readable first part of the cookie value. */
  readonly id: string
  /** SHA-256 of the secret part of the cookie value, base64url (43 characters). */
  readonly secretHash: string
  readonly userId: string
  /** When the user last authenticated; the basis of `auth_time` and `max_age` (OpenID Connect Core §2). */
  readonly authenticatedAtMs: number
  /** `pwd` (RFC 8176), or the name of the external provider; in order of use. */
  readonly methods: readonly string[]
  /** Whether the cookie outlives the browser ('remember me'). */
  readonly persistent: boolean
  readonly createdAtMs: number
  /** Sliding: extended once more than half of the lifetime has passed. */
  readonly expiresAtMs: number
  /** To the day. */
  readonly lastSeenAtMs: number
  /** Shown in the user's list of sessions. */
  readonly clientAddress: string
  readonly userAgent: string
}

/** A session with a verified cookie secret, and its user. */
export type SignedIn<Found extends SessionFacts = StoredSession> = Proven<Found, 'signed in'>

/** When a session began and ends. */
export type SessionSpan = Pick<Session, 'createdAtMs' | 'expiresAtMs'>

/** A stored session with its user. Proves nothing about who uses the browser. */
export type StoredSession = { readonly session: Session; readonly user: User }

/** Who is signed in where an authorization request is made: no password, and nothing that only lists of sessions show. */
export type RequestingSession = {
  readonly session: Omit<Session, 'clientAddress' | 'userAgent'>
  readonly user: Eligible & Described & Pick<User, 'sessionsEndedAtMs' | 'grantsEndedAtMs'>
}

/** What decides whether somebody is signed in. */
export type SessionFacts = {
  readonly session: Pick<Session, 'id' | 'secretHash' | 'authenticatedAtMs' | 'createdAtMs' | 'expiresAtMs'>
  readonly user: Eligible & Pick<User, 'sessionsEndedAtMs'>
}

/**
 * Whether a session is valid now. A session is suspended, not deleted, while its user may not sign in: a lockout ends
 * by itself.
 */
export function isSessionAlive({ session, user }: SessionFacts, rules: SignInRules, nowMs: number): boolean {
  if (hasExpired(session, rules, nowMs)) return false
  // Equality counts as ended: events within a millisecond cannot be ordered, and the lock must win.
  if (user.sessionsEndedAtMs !== null && session.createdAtMs <= user.sessionsEndedAtMs) return false
  return maySignIn(user, rules, session.authenticatedAtMs, nowMs)
}

/** Whether the session has reached its expiry or its maximum lifetime. */
export function hasExpired(
  session: SessionSpan,
  { sessionMaxMs }: Pick<SignInRules, 'sessionMaxMs'>,
  nowMs: number,
): boolean {
  return nowMs >= Math.min(session.expiresAtMs, lastEndMs(session, sessionMaxMs))
}

/**
 * Returns the new expiry if the session should be extended; undefined: more than half of its lifetime remains, or it
 * has expired.
 */
export function slideSession(session: SessionSpan, lifetimeMs: number, nowMs: number, maxMs = 0): number | undefined {
  const leftMs = session.expiresAtMs - nowMs
  if (lifetimeMs - leftMs <= leftMs) return undefined
  const expiresAtMs = Math.min(nowMs + lifetimeMs, lastEndMs(session, maxMs))
  return expiresAtMs > session.expiresAtMs ? expiresAtMs : undefined
}

/** Whether the session was last noted as seen more than a day ago. Rounded, so that frequent use causes few writes. */
export function isSeenLongAgo({ lastSeenAtMs }: Pick<Session, 'lastSeenAtMs'>, nowMs: number): boolean {
  return nowMs - lastSeenAtMs >= dayMs
}

const dayMs = 86_400_000

/** Returns the latest end of the session, however active it is. `maxMs` 0: unlimited. */
function lastEndMs({ createdAtMs }: Pick<Session, 'createdAtMs'>, maxMs = 0): number {
  return maxMs === 0 ? Number.POSITIVE_INFINITY : createdAtMs + maxMs
}

/** Maximum sessions per user. A further sign-in ends the least recently seen ones. */
export const maxSessions = 100

/** Maximum clients per session that are told when it ends. Further ones are not told. */
export const maxSessionClients = 200

/** Returns how many of the sessions must end before another one starts. */
export function surplusSessions(sessions: number): number {
  return Math.max(0, sessions + 1 - maxSessions)
}
