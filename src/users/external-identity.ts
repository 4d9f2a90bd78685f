/** People who are known to an external provider, and when they may come in. */
import type { Session } from './session.ts'
import { isLocked, maySignIn, type SignInRules } from './sign-in.ts'
import type { User } from './user.ts'

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

export type ExternalSignIn =
  | { readonly outcome: 'signed_in'; readonly session: Session }
  | { readonly outcome: 'refused'; readonly error: ExternalSignInError }

/** Decides the sign-in of the user that an external identity is bound to, on the user as stored. */
export function decideExternalSignIn(user: User, session: Session, rules: SignInRules, nowMs: number): ExternalSignIn {
  if (isLocked(user, nowMs)) {
    // An account that an operator disabled is told apart from one that will open again.
    return { outcome: 'refused', error: user.disabled ? 'account_not_allowed' : 'account_locked' }
  }
  if (!maySignIn(user, rules, nowMs)) return { outcome: 'refused', error: 'account_not_allowed' }
  return { outcome: 'signed_in', session }
}
