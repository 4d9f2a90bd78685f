/** The relying party's side that all providers share, on top of a certified library. */

import type * as openidClient from 'openid-client'
import type { Send } from '../outbound/send.ts'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import type { AssertionParts } from './client-authentication.ts'
import { type Asked, type AuthorizationChecks, ProviderFailure } from './provider.ts'

/** What providers need of the service. */
export type ProviderParts = AssertionParts & {
  /** Shared by all requests of one step to a provider. */
  readonly deadlineMs: number
  /** The way that they take. */
  readonly send: Send
}

export type RelyingParty = {
  /** Of the provider, for messages. */
  readonly name: string
  readonly client: typeof openidClient
  readonly metadata: openidClient.ServerMetadata
  readonly config: openidClient.Configuration
  /** Adds the authentication of this service to a request. */
  readonly authentication: openidClient.ClientAuth
  /** Whether endpoints may be http: only on this machine, by the settings. */
  readonly allowsHttp: boolean
  /** Bounded in time and size. */
  readonly fetch: openidClient.CustomFetch
}

/**
 * Returns the parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). What the sign-in sets wins over what
 * it is asked to send on, and that over the settings.
 */
export async function requestParameters(
  client: typeof openidClient,
  settings: ExternalProviderSettings,
  { redirectUri, checks, asked }: { redirectUri: string; checks: AuthorizationChecks; asked: Asked },
): Promise<Record<string, string>> {
  const { parameters, scopes, forwardLoginHint, forwardPrompt, forwardAcr } = settings
  const forwarded = [
    ['login_hint', forwardLoginHint ? asked.loginHint : null],
    ['prompt', forwardPrompt ? asked.prompt : null],
    ['acr_values', forwardAcr ? asked.acrValues : null],
  ].filter(([, value]) => value !== null)
  return {
    ...parameters,
    ...Object.fromEntries(forwarded),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    redirect_uri: redirectUri,
    response_type: 'code',
    state: checks.state,
    code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  }
}

/** Returns the name, which the callback address that is registered at the provider contains. */
export function nameOf({ name }: Pick<ExternalProviderSettings, 'name'>): string {
  return name.toLowerCase() === 'github' ? 'GitHub' : name
}

/** The endpoint that names a user of GitHub. */
export const githubUserEndpoint = 'https://api.github.com/user'

/**
 * Returns who names the people of the provider, and by what. A subject is unique and never reassigned only within it (OpenID
 * Connect Core §2, §5.7).
 */
export function sourceOf({
  issuer,
  subjectClaim,
  userInfoEndpoint,
}: Pick<ExternalProviderSettings, 'issuer' | 'subjectClaim' | 'userInfoEndpoint'>): string {
  if (issuer === null) return userInfoEndpoint ?? githubUserEndpoint
  return subjectClaim === 'sub' ? issuer : `${issuer} ${subjectClaim}`
}

/** Runs a step against a provider. Wraps every error in `ProviderFailure`, with the cause for the log. */
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
 * Returns the user's id at the provider, unchanged: truncating could make two users equal. At most 255 characters
 * (OpenID Connect Core §2); null if it is absent or longer.
 */
export function subjectFrom(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 255 ? value : null
}

/** Returns a non-empty text member for display, truncated to 256 characters; null: there is none. */
export function field(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null
  const member = (value as Record<string, unknown>)[name]
  return typeof member === 'string' && member !== '' ? member.slice(0, 256) : null
}
