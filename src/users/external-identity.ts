/** Identities at external providers, and when they may sign in. */

import type { SignInRules } from './eligibility.ts'
import { type Candidate, hasLock } from './lockout.ts'
import { decideEntry, type HalfSignedIn, type PreparedSignIn, type SignedInNow } from './sign-in.ts'

/** The identity that a provider confirmed. Kept for five minutes, in the browser only. */
export type ExternalIdentity = {
  /** The provider's scheme name in the settings. */
  readonly provider: string
  readonly displayName: string
  /** The user's id at the provider; it never changes. */
  readonly subject: string
  readonly name: string | null
  /** Only a suggestion for a new account. Never matched against existing accounts. */
  readonly email: string | null
}

/** Error codes for which the login page has texts. */
export type ExternalSignInError =
  | 'external_provider_error'
  | 'external_login_unavailable'
  | 'account_locked'
  | 'account_not_allowed'
  | 'account_needs_help'
  | 'external_login_failed'

export type ExternalSignIn =
  | SignedInNow
  | HalfSignedIn
  | { readonly outcome: 'refused'; readonly error: ExternalSignInError }

/**
 * Decides the sign-in of the user bound to an external identity, on user and browser as stored. As with passwords,
 * failed passwords of strangers do not lock out a known browser.
 */
export function decideExternalSignIn(
  candidate: Candidate,
  prepared: PreparedSignIn,
  rules: SignInRules,
  nowMs: number,
): ExternalSignIn {
  const entry = decideEntry(candidate, { first: 'external' }, prepared, rules, nowMs)
  if (entry.outcome === 'not_allowed') return { outcome: 'refused', error: 'account_not_allowed' }
  if (entry.outcome === 'needs_help') return { outcome: 'refused', error: 'account_needs_help' }
  if (entry.outcome !== 'locked') return entry
  // An account that is disabled without a lock gets the other error.
  return { outcome: 'refused', error: hasLock(candidate.user, nowMs) ? 'account_locked' : 'account_not_allowed' }
}
