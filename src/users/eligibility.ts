/** Decides who may sign in and keep a session. */
import { isLocked, isLockedFor, type Lockable, type LockoutRules } from './lockout.ts'
import type { FactorRules } from './sign-in-steps.ts'
import type { User } from './user.ts'

/** The account rules of the settings. */
export type SignInRules = LockoutRules & {
  readonly requireConfirmedEmail: boolean
  /** Maximum lifetime of a session, however active it is; 0 or undefined: unlimited. */
  readonly sessionMaxMs?: number
  /** Undefined: no second factor is asked for but of those who have one. */
  readonly secondFactor?: FactorRules
}

/** What decides whether a user may keep a session. */
export type Eligible = Lockable & Pick<User, 'emailConfirmed'>

/** Whether a user who authenticated at `authenticatedAtMs` may keep a session and exchange tokens now. */
export function maySignIn(user: Eligible, rules: SignInRules, authenticatedAtMs: number, nowMs: number): boolean {
  return !isLockedFor(user, rules, authenticatedAtMs, nowMs) && (user.emailConfirmed || !rules.requireConfirmedEmail)
}

/**
 * Whether the address has to be confirmed before any sign-in. It is part of the sign-in of a person whose required action that
 * is.
 */
export function isUnconfirmed(user: User, { requireConfirmedEmail }: SignInRules): boolean {
  const isAsked = user.requiredActions?.includes('verify_email') === true && user.email !== ''
  return requireConfirmedEmail && !user.emailConfirmed && !isAsked
}

/** Returns why an account may not sign in, for the log. */
export function barReason(user: Lockable, nowMs: number): string {
  if (user.disabled) return 'an operator locked the account'
  return isLocked(user, nowMs) ? 'the account is locked for a time' : 'the e-mail address is not confirmed'
}
