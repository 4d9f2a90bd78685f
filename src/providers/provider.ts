/** What an external provider does for the sign-in; how is a matter of each kind. */
import type { ExternalIdentity } from '../users/external-identity.ts'

/** What the browser must bring back for the sign-in to count. */
export type AuthorizationChecks = {
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
}

/** An identity with the provider's back-channel tokens. The tokens are kept with it and used for nothing yet. */
export type AuthenticatedIdentity = ExternalIdentity & {
  readonly accessToken: string
  readonly refreshToken: string | null
}

export type ExternalProvider = {
  readonly name: string
  readonly displayName: string
  /** The provider's authorization page for this sign-in. May ask the provider for its metadata first. */
  authorizationAddress(redirectUri: string, checks: AuthorizationChecks): Promise<URL>
  /**
   * Redeems the provider's answer and says who is there. Rejects with `ProviderFailure` whatever the provider did
   * wrong, within ten seconds in all.
   */
  authenticate(answer: URL, checks: AuthorizationChecks): Promise<AuthenticatedIdentity>
}

/** The provider is unreachable, too slow, answered nonsense or named nobody. Becomes 502; nothing is created. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}
