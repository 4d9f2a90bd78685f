/** People who are known to an external provider, and when they may come in. */

import type { SignInRules } from './eligibility.ts'
import { type Candidate, hasLock, mayEnterByProvider } from './lockout.ts'
import { type Entry, letIn, type SignedInNow } from './sign-in.ts'

/** Who a provider says is there. Held for five minutes, in the browser alone. */
export type ExternalIdentity = {
  /** The scheme name of the settings. */
  readonly provider: string
  readonly displayName: string
  /** The user's key at the provider; never changes there. */
  readonly subject: string
  readonly name: string | null
  /** Only a suggestion for the new account: it never leads to an existing one. */
  readonly email: string | null
}

/** The codes that the login page has texts for. */
export type ExternalSignInError =
  | 'external_provider_error'
  | 'external_login_unavailable'
  | 'account_locked'
  | 'account_not_allowed'
  | 'external_login_failed'

export type ExternalSignIn = SignedInNow | { readonly outcome: 'refused'; readonly error: ExternalSignInError }

/**
 * Decides the sign-in of the user that an external identity is bound to, on user and browser as stored. Strangers' failed
 * passwords keep out a known browser here as little as at the password form.
 */
export function decideExternalSignIn(
  candidate: Candidate,
  entry: Entry,
  rules: SignInRules,
  nowMs: number,
): ExternalSignIn {
  const { user } = candidate
  if (!mayEnterByProvider(candidate, rules, nowMs)) {
    // A lock, with an end or without, is told apart from an account that was only disabled.
    return { outcome: 'refused', error: hasLock(user, nowMs) ? 'account_locked' : 'account_not_allowed' }
  }
  if (rules.requireConfirmedEmail && !user.emailConfirmed) return { outcome: 'refused', error: 'account_not_allowed' }
  return letIn(candidate, entry, nowMs)
}
