/**
 * The interface of external providers for sign-in.
 *
 * Belongs here: clients of external identity providers, behind one interface.
 * Belongs elsewhere: deciding who an external identity is (`users/`), and the endpoints of the sign-in (`account/`).
 */
import type { ExternalIdentity } from '../users/external-identity.ts'

/** What the browser must return for the sign-in to be accepted. */
export type AuthorizationChecks = {
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
}

/** An identity with the provider's tokens. The tokens are stored with it but not used yet. */
export type AuthenticatedIdentity = ExternalIdentity & {
  readonly accessToken: string
  readonly refreshToken: string | null
}

export type ExternalProvider = {
  readonly name: string
  readonly displayName: string
  /** Returns the provider's authorization URL for this sign-in. May fetch the provider's metadata first. */
  authorizationAddress(redirectUri: string, checks: AuthorizationChecks): Promise<URL>
  /**
   * Redeems the provider's response and returns the user's identity. Rejects with `ProviderFailure` for any fault of
   * the provider, within ten seconds in all.
   */
  authenticate(answer: URL, checks: AuthorizationChecks): Promise<AuthenticatedIdentity>
}

/**
 * The provider is unreachable, too slow, sent an invalid response or named no user. Becomes 502; nothing is created.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}
