/** What the kinds of providers share: our side of the flow, on a library that is certified for it. */
import type * as openidClient from 'openid-client'
import { type AuthorizationChecks, ProviderFailure } from './provider.ts'

export type RelyingParty = { readonly client: typeof openidClient; readonly config: openidClient.Configuration }

/** State and proof key of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export async function pkceParameters(
  client: typeof openidClient,
  redirectUri: string,
  checks: AuthorizationChecks,
): Promise<Record<string, string>> {
  return {
    redirect_uri: redirectUri,
    response_type: 'code',
    state: checks.state,
    code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  }
}

/** Runs a step against a provider; whatever goes wrong in it is the provider's failure, with the cause for the log. */
export async function asProviderFailure<T>(provider: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProviderFailure(`the provider ${provider} failed: ${reason}`, { cause: error })
  }
}

/**
 * The user's key at the provider as it came: never cut, because two keys that begin alike are two people. At most 255
 * characters (OpenID Connect Core §2); null when there is none, or a longer one.
 */
export function subjectFrom(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 255 ? value : null
}

/** A non-empty text member of an answer that is only shown, cut to 256 characters; null when there is none. */
export function field(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null
  const member = (value as Record<string, unknown>)[name]
  return typeof member === 'string' && member !== '' ? member.slice(0, 256) : null
}
