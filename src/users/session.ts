import { maySignIn, type SignInRules } from './eligibility.ts'
import type { User } from './user.ts'

/** A browser's sign-in at this service. Times are epoch milliseconds. */
export type Session = {
  /** UUIDv7, the readable front part of the cookie value. */
  readonly id: string
  /** SHA-256 of the secret part of the cookie value, base64url (43 characters). */
  readonly secretHash: string
  readonly userId: string
  /** When the person last proved who they are; `auth_time` and `max_age` count from here (OpenID Connect Core §2). */
  readonly authenticatedAtMs: number
  /** `pwd` (RFC 8176), or the name of the external provider. */
  readonly method: string
  /** The cookie outlives the browser ('remember me'). */
  readonly persistent: boolean
  readonly createdAtMs: number
  /** Slides: moved on when more than half of the life has passed. */
  readonly expiresAtMs: number
  readonly lastSeenAtMs: number
  /** For the user's own list of sessions. */
  readonly clientAddress: string
  readonly userAgent: string
}

/** A session whose cookie secret was verified, with its user. */
export type SignedIn = { readonly session: Session; readonly user: User }

/**
 * Whether a session counts now. One whose user may not sign in at the moment does not, but it is kept: a lockout
 * ends by itself, and then the session counts again.
 */
export function isSessionAlive({ session, user }: SignedIn, rules: SignInRules, nowMs: number): boolean {
  if (nowMs >= Math.min(session.expiresAtMs, lastEndMs(session, rules.sessionMaxMs))) return false
  // Equality counts as ended: what happened in the same millisecond cannot be told apart, and the lock must win.
  if (user.sessionsEndedAtMs !== null && session.createdAtMs <= user.sessionsEndedAtMs) return false
  return maySignIn(user, rules, session.authenticatedAtMs, nowMs)
}

/** The new expiry when the session should slide, or undefined: it has more than half of its life before it, or no more. */
export function slideSession(session: Session, lifetimeMs: number, nowMs: number, maxMs = 0): number | undefined {
  const leftMs = session.expiresAtMs - nowMs
  if (lifetimeMs - leftMs <= leftMs) return undefined
  const expiresAtMs = Math.min(nowMs + lifetimeMs, lastEndMs(session, maxMs))
  return expiresAtMs > session.expiresAtMs ? expiresAtMs : undefined
}

/** When the session ends, however much it is used. `maxMs` 0: never by that. */
function lastEndMs({ createdAtMs }: Session, maxMs = 0): number {
  return maxMs === 0 ? Number.POSITIVE_INFINITY : createdAtMs + maxMs
}

/** So many sessions a person has at most; a sign-in beyond ends those that were seen least recently. */
export const maxSessions = 100

/** How many of so many sessions must end before another one begins. */
export function surplusSessions(sessions: number): number {
  return Math.max(0, sessions + 1 - maxSessions)
}
