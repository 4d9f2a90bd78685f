/** Who may sign in, and what one attempt with a password changes. */
import type { Session } from './session.ts'
import type { User } from './user.ts'

/** The account rules of the settings. */
export type SignInRules = {
  /** The failure that reaches this number locks. */
  readonly maxFailedAttempts: number
  readonly lockoutMs: number
  readonly requireConfirmedEmail: boolean
}

/** Locked by too many failures or by an operator. */
export function isLocked(user: User, nowMs: number): boolean {
  return user.disabled || (user.lockedUntilMs !== null && user.lockedUntilMs > nowMs)
}

/** Whether the account may sign in, keep a session and exchange tokens. */
export function maySignIn(user: User, rules: SignInRules, nowMs: number): boolean {
  return !isLocked(user, nowMs) && (user.emailConfirmed || !rules.requireConfirmedEmail)
}

/** Why an account may not sign in, in words for the log. */
export function whyBarred(user: User, nowMs: number): string {
  if (user.disabled) return 'an operator locked the account'
  return isLocked(user, nowMs) ? 'the account is locked for a time' : 'the e-mail address is not confirmed'
}

export type PasswordSignIn =
  | { readonly outcome: 'signed_in'; readonly session: Session; readonly user?: User }
  /** Told to nobody apart from a wrong password: the answers must not be distinguishable. */
  | { readonly outcome: 'locked' }
  | { readonly outcome: 'wrong_password'; readonly user: User }
  /** The password was right, but the e-mail address is not confirmed. */
  | { readonly outcome: 'not_allowed' }

/**
 * Decides one password attempt on the user as stored. Runs inside the storage verb, so that parallel guesses are
 * judged one after the other. While the account is locked nothing is judged and nothing counts.
 * `newHash`: the password hashed with today's parameters, when the stored hash is of older ones.
 */
export function decidePasswordSignIn(
  user: User,
  attempt: { readonly passwordMatches: boolean; readonly checkedHash: string | null; readonly newHash: string | null },
  session: Session,
  rules: SignInRules,
  nowMs: number,
): PasswordSignIn {
  if (isLocked(user, nowMs)) return { outcome: 'locked' }
  // A password that was changed while the old one was being checked proves nothing.
  if (!attempt.passwordMatches || user.passwordHash !== attempt.checkedHash) {
    const failures = user.failedAttempts + 1
    const locks = failures >= rules.maxFailedAttempts
    return {
      outcome: 'wrong_password',
      user: {
        ...user,
        failedAttempts: locks ? 0 : failures,
        lockedUntilMs: locks ? nowMs + rules.lockoutMs : user.lockedUntilMs,
        updatedAtMs: nowMs,
      },
    }
  }
  if (rules.requireConfirmedEmail && !user.emailConfirmed) return { outcome: 'not_allowed' }
  if (user.failedAttempts === 0 && attempt.newHash === null) return { outcome: 'signed_in', session }
  return {
    outcome: 'signed_in',
    session,
    user: { ...user, failedAttempts: 0, passwordHash: attempt.newHash ?? user.passwordHash, updatedAtMs: nowMs },
  }
}
