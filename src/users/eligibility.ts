/** Who may sign in and keep a session. */
import { isLocked, isLockedFor, type LockoutRules } from './lockout.ts'
import type { User } from './user.ts'

/** The account rules of the settings. */
export type SignInRules = LockoutRules & {
  readonly requireConfirmedEmail: boolean
  /** A session ends this long after it began, however much it is used; 0 or absent: never by that. */
  readonly sessionMaxMs?: number
}

/** Whether somebody who proved at `authenticatedAtMs` who they are may keep a session and exchange tokens now. */
export function maySignIn(user: User, rules: SignInRules, authenticatedAtMs: number, nowMs: number): boolean {
  return !isLockedFor(user, rules, authenticatedAtMs, nowMs) && (user.emailConfirmed || !rules.requireConfirmedEmail)
}

/** Why an account may not sign in, in words for the log. */
export function whyBarred(user: User, nowMs: number): string {
  if (user.disabled) return 'an operator locked the account'
  return isLocked(user, nowMs) ? 'the account is locked for a time' : 'the e-mail address is not confirmed'
}
