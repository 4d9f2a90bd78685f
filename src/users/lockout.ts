/**
 * Lockouts after failed passwords. There are two budgets: one for strangers, stored with the user, and one for each
 * browser that signed in as this user before. Both have the limits of the settings.
 */
import { isKnown, type KnownBrowser } from './known-browser.ts'
import type { SecondFactors } from './second-factor.ts'
import type { User } from './user.ts'

/** The limits of a budget (`Accounts:Lockout`). */
export type LockoutRules = {
  /** Number of failures that triggers the lockout. */
  readonly maxFailedAttempts: number
  readonly lockoutMs: number
  /**
   * Whether a lockout blocks password sign-ins only, and leaves sessions, token exchanges and external sign-ins alone.
   */
  readonly lockoutKeepsSessions?: boolean
}

/** The user as stored, and the browser of the attempt if it is known for this user. */
export type Candidate = {
  readonly user: User
  readonly browser?: KnownBrowser | undefined
  /** Number of the user's sessions; undefined: few. */
  readonly sessions?: number
  /** Undefined: the user has none. */
  readonly factors?: SecondFactors
  /** Number of the user's passkeys, of those that are bound to a device, and of those whose manufacturer says so; undefined: none. */
  readonly passkeys?: number
  readonly boundPasskeys?: number
  /** Of the passkeys, those that are a second factor alone. Undefined: none. */
  readonly secondFactorKeys?: number
  readonly attestedPasskeys?: number
}

/** What a lock depends on. */
export type Lockable = Pick<User, 'disabled' | 'lockedUntilMs' | 'lockoutBeganAtMs'>

/** An attack counts as over after this time without a lockout. */
const quietMs = 86_400_000

/** Locked by failed passwords or by an operator, or disabled. */
export function isLocked(user: Lockable, nowMs: number): boolean {
  return user.disabled || hasLock(user, nowMs)
}

/** Locked by failed passwords or by an operator. A lock without an end has one in the year 9999. */
export function hasLock(user: Lockable, nowMs: number): boolean {
  return user.lockedUntilMs !== null && user.lockedUntilMs > nowMs
}

/** Locked by failed passwords and not by an operator. */
function isLockedOut(user: Lockable, nowMs: number): user is Lockable & { lockoutBeganAtMs: number } {
  return hasLock(user, nowMs) && !user.disabled && user.lockoutBeganAtMs !== null
}

/**
 * Whether the lock applies to a user who authenticated at `authenticatedAtMs`. An operator's lock applies always. A
 * lockout after failed passwords spares sessions that began during the attack, which only a known browser can start.
 * With `lockoutKeepsSessions` it spares all sessions.
 */
export function isLockedFor(user: Lockable, rules: LockoutRules, authenticatedAtMs: number, nowMs: number): boolean {
  if (!isLockedOut(user, nowMs)) return isLocked(user, nowMs)
  // Equality counts as before the attack: events within a millisecond cannot be ordered, and the lock must win.
  return rules.lockoutKeepsSessions !== true && authenticatedAtMs <= user.lockoutBeganAtMs
}

/** Returns the browser if an attempt counts against its own budget; undefined: it counts as a stranger's. */
export function ownBudget({ user, browser }: Candidate, nowMs: number): KnownBrowser | undefined {
  if (browser === undefined || !isKnown(browser, user, nowMs)) return undefined
  return browser.lockedUntilMs !== null && browser.lockedUntilMs > nowMs ? undefined : browser
}

/** Whether a password attempt is checked at all. */
export function mayAttempt(candidate: Candidate, nowMs: number): boolean {
  const { user } = candidate
  if (!isLocked(user, nowMs)) return true
  return isLockedOut(user, nowMs) && ownBudget(candidate, nowMs) !== undefined
}

/** Whether a user who was authenticated by a provider may sign in. */
export function maySignInByProvider(candidate: Candidate, rules: LockoutRules, nowMs: number): boolean {
  if (rules.lockoutKeepsSessions === true && isLockedOut(candidate.user, nowMs)) return true
  return mayAttempt(candidate, nowMs)
}

/**
 * An attack lasts from the first lockout until a day without one, a stranger's successful sign-in, or an operator's
 * unlock.
 */
export function isUnderAttack(user: User, nowMs: number): boolean {
  return user.lockoutBeganAtMs !== null && user.lockedUntilMs !== null && nowMs < user.lockedUntilMs + quietMs
}

/**
 * Returns what a wrong password changes. Counts against the user, except during a lockout, and against the browser if
 * that has its own budget. The user is always written, so that parallel guesses conflict on its version.
 */
export function countFailure(
  candidate: Candidate,
  rules: LockoutRules,
  nowMs: number,
): { readonly user: User; readonly browser?: KnownBrowser } {
  const { user } = candidate
  const browser = ownBudget(candidate, nowMs)
  return {
    user: { ...(isLocked(user, nowMs) ? user : countAgainstUser(user, rules, nowMs)), updatedAtMs: nowMs },
    ...(browser && { browser: { ...browser, ...nextCount(browser, rules, nowMs) } }),
  }
}

function countAgainstUser(user: User, rules: LockoutRules, nowMs: number): User {
  const next = { ...user, ...nextCount(user, rules, nowMs) }
  if (!isLocked(next, nowMs)) return next
  // Successive lockouts belong to one attack: sessions that began during it stay valid.
  return isUnderAttack(user, nowMs) ? next : { ...next, lockoutBeganAtMs: nowMs }
}

function nextCount(
  counted: { readonly failedAttempts: number; readonly lockedUntilMs: number | null },
  rules: LockoutRules,
  nowMs: number,
) {
  const failures = counted.failedAttempts + 1
  const locks = failures >= rules.maxFailedAttempts
  return {
    failedAttempts: locks ? 0 : failures,
    lockedUntilMs: locks ? nowMs + rules.lockoutMs : counted.lockedUntilMs,
  }
}

/**
 * Returns the user after a successful sign-in; undefined: unchanged. Success resets the count, except from a known
 * browser during an attack: strangers would get new guesses whenever the owner signs in.
 */
export function afterSuccess(candidate: Candidate, nowMs: number): User | undefined {
  const { user } = candidate
  if (ownBudget(candidate, nowMs) !== undefined && isUnderAttack(user, nowMs)) return undefined
  if (user.failedAttempts === 0 && user.lockoutBeganAtMs === null) return undefined
  return { ...user, failedAttempts: 0, lockoutBeganAtMs: null, updatedAtMs: nowMs }
}
