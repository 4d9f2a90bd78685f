/**
 * Lockouts: who is kept out, and for how long. There are two budgets of failed passwords: one for strangers, kept with
 * the user, and one for each browser that signed in as this user before. Both have the numbers of the settings.
 */
import { isKnown, type KnownBrowser } from './known-browser.ts'
import type { User } from './user.ts'

/** The numbers of a budget (`Accounts:Lockout`). */
export type LockoutRules = {
  /** The failure that reaches this number locks. */
  readonly maxFailedAttempts: number
  readonly lockoutMs: number
  /** A lockout after failures stops password sign-ins alone: sessions, token exchanges and providers go on. */
  readonly lockoutKeepsSessions?: boolean
}

/** The user as stored, and the browser that an attempt comes from when it signed in as this user before. */
export type Candidate = {
  readonly user: User
  readonly browser?: KnownBrowser | undefined
  /** How many sessions the user has; absent: few. */
  readonly sessions?: number
}

/** An attack is over when nobody was locked out for so long. */
const quietMs = 86_400_000

/** Kept out now: locked by too many failures or by an operator, or disabled. */
export function isLocked(user: User, nowMs: number): boolean {
  return user.disabled || hasLock(user, nowMs)
}

/** Locked by too many failures or by an operator. An operator's lock without an end has one that no clock reaches. */
export function hasLock(user: User, nowMs: number): boolean {
  return user.lockedUntilMs !== null && user.lockedUntilMs > nowMs
}

/** Locked by failed passwords alone, and not by an operator. */
function isLockedOut(user: User, nowMs: number): user is User & { lockoutBeganAtMs: number } {
  return hasLock(user, nowMs) && !user.disabled && user.lockoutBeganAtMs !== null
}

/**
 * Whether the lock holds for somebody who proved at `authenticatedAtMs` who they are. A lockout after failed passwords
 * does not hold for those who came in after the attack had begun: through a known browser, by password or by a provider.
 * Strangers do not come in while it lasts, whoever vouches for them, unless the settings say that a lockout stops
 * passwords alone. An operator's lock holds for everybody.
 */
export function isLockedFor(user: User, rules: LockoutRules, authenticatedAtMs: number, nowMs: number): boolean {
  if (!isLockedOut(user, nowMs)) return isLocked(user, nowMs)
  // Equality counts as before: what happened in the same millisecond cannot be told apart, and the lock must win.
  return rules.lockoutKeepsSessions !== true && authenticatedAtMs <= user.lockoutBeganAtMs
}

/** The browser when its own budget is what an attempt counts against; undefined: the attempt is a stranger's. */
export function ownBudget({ user, browser }: Candidate, nowMs: number): KnownBrowser | undefined {
  if (browser === undefined || !isKnown(browser, user, nowMs)) return undefined
  return browser.lockedUntilMs !== null && browser.lockedUntilMs > nowMs ? undefined : browser
}

/** Whether an attempt with a password is looked at at all. */
export function mayAttempt(candidate: Candidate, nowMs: number): boolean {
  const { user } = candidate
  if (!isLocked(user, nowMs)) return true
  return isLockedOut(user, nowMs) && ownBudget(candidate, nowMs) !== undefined
}

/** Whether somebody whom a provider vouches for is let in. */
export function mayEnterByProvider(candidate: Candidate, rules: LockoutRules, nowMs: number): boolean {
  if (rules.lockoutKeepsSessions === true && isLockedOut(candidate.user, nowMs)) return true
  return mayAttempt(candidate, nowMs)
}

/** From the first lockout after failed passwords until a day without one, a stranger's success or an operator's unlock. */
export function isUnderAttack(user: User, nowMs: number): boolean {
  return user.lockoutBeganAtMs !== null && user.lockedUntilMs !== null && nowMs < user.lockedUntilMs + quietMs
}

/**
 * What a wrong password changes. It counts against the user, except that nothing does while the user is locked out, and
 * against the browser when that has a budget of its own. The user is always part of the answer, so that parallel
 * guesses meet on its version.
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
  // One attack, however many lockouts it brings about: whoever came in since it began stays in.
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
 * The user after a success; undefined: unchanged. A success resets the count, but one from a known browser does not
 * while strangers attack: they would get new guesses whenever the owner signs in.
 */
export function afterSuccess(candidate: Candidate, nowMs: number): User | undefined {
  const { user } = candidate
  if (ownBudget(candidate, nowMs) !== undefined && isUnderAttack(user, nowMs)) return undefined
  if (user.failedAttempts === 0 && user.lockoutBeganAtMs === null) return undefined
  return { ...user, failedAttempts: 0, lockoutBeganAtMs: null, updatedAtMs: nowMs }
}
