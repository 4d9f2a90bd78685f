import type { ClientAuthentication } from './client-authentication/registered.ts'
import type { GrantType } from './grant-types.ts'

/** A registered application (RFC 6749 §2). Times are epoch milliseconds. */
export type Client = {
  /** `client_id`, chosen at registration. */
  readonly id: string
  /** Shown to people on the consent page. */
  readonly name: string
  readonly authentication: ClientAuthentication
  /** It may use no others. */
  readonly grantTypes: readonly GrantType[]
  /** explicit: people are asked once for each scope set. implicit: first-party, never asked. */
  readonly consent: 'explicit' | 'implicit'
  readonly requirePkce: boolean
  /** Compared character by character (RFC 9700 §4.1.3). */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** Scopes the client may ask for; `openid` needs no entry. */
  readonly scopes: readonly string[]
  readonly createdAtMs: number
  /** Counts up at every change; a change is committed only on the version it was decided on. */
  readonly version: number
}

/** The client type of RFC 6749 §2.1: who can authenticate is confidential. */
export function clientType({ authentication }: Client): 'public' | 'confidential' {
  return authentication.method === 'none' ? 'public' : 'confidential'
}

/** When the secret before the last rotation ends; undefined: none counts any more. */
export function replacedSecretEndsAtMs({ authentication }: Client, nowMs: number): number | undefined {
  if (authentication.method !== 'client_secret' || authentication.previousSecret === null) return undefined
  const { endsAtMs } = authentication.previousSecret
  return nowMs < endsAtMs ? endsAtMs : undefined
}
