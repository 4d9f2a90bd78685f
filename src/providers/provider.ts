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

/** What the authorization request asks for that the sign-in is for (OpenID Connect Core §3.1.2.1); null: it does not. */
export type Asked = {
  readonly loginHint: string | null
  readonly prompt: string | null
  readonly acrValues: string | null
}

export const nothingAsked: Asked = { loginHint: null, prompt: null, acrValues: null }

/** An identity with the provider's tokens. The tokens are stored with it but not used yet. */
export type AuthenticatedIdentity = ExternalIdentity & {
  readonly accessToken: string
  readonly refreshToken: string | null
}

/** The provider, or the person there, did not want to (RFC 6749 §4.1.2.1). */
export type Denial = { readonly error: string }

export type ExternalProvider = {
  readonly name: string
  readonly displayName: string
  /** Who names the people there (`sourceOf`). */
  readonly source: string
  /** Returns the provider's authorization URL for this sign-in. May ask the provider first. */
  authorizationAddress(redirectUri: string, checks: AuthorizationChecks, asked: Asked): Promise<URL>
  /**
   * Redeems the provider's response, whose `state` was checked, and returns the user's identity. Rejects with
   * `ProviderFailure` for any fault of the provider, within ten seconds in all.
   */
  authenticate(answer: URL, checks: AuthorizationChecks): Promise<AuthenticatedIdentity | Denial>
}

/** Reasons of the catalogue of refusals. Each is 502; nothing is created. */
type FailureReason =
  /** Unreachable, too slow, or no answer of the protocol. */
  | 'provider_failed'
  /** A response failed a check. */
  | 'provider_untrusted'
  /** An OAuth error of the token endpoint (RFC 6749 §5.2). */
  | 'provider_refused'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly reason: FailureReason
  /** For the log and the explanation of the refusal. Without secrets. */
  readonly detail: Readonly<Record<string, string | readonly string[]>>
  constructor(
    message: string,
    {
      reason = 'provider_failed',
      detail = { rule: message },
      ...options
    }: ErrorOptions & { reason?: FailureReason; detail?: ProviderFailure['detail'] } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.detail = detail
  }
}

/** `check`: what failed, such as `nonce`. `rule`: in words. `values`: what was received, and what was expected. */
export function untrusted(
  provider: string,
  check: string,
  rule: string,
  values: { readonly received?: unknown; readonly expected?: string } = {},
  cause?: unknown,
): ProviderFailure {
  const { received, expected } = values
  const detail = {
    provider,
    check,
    rule,
    ...(received === undefined ? {} : { received: typeof received === 'string' ? received : JSON.stringify(received) }),
    ...(expected === undefined ? {} : { expected }),
  }
  return new ProviderFailure(`an answer of the provider ${provider} failed the check of ${check}: ${rule}`, {
    reason: 'provider_untrusted',
    detail,
    cause,
  })
}
