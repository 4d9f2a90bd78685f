/** What a resource server demands of the authentication behind an access token (RFC 9470). */
import { isKnownClass, meetsClass } from '../claims/authentication-methods.ts'
import { type Refusal, refuse } from '../refusals/index.ts'

export type AuthenticationDemand = {
  /** The authentication class; higher ones meet it. */
  readonly acr: string
  /** How old the authentication may be. */
  readonly maxAgeSeconds: number
}

/** Checks `acr` and `auth_time` of a valid access token. Refuses with what the client has to ask for (RFC 9470 §3). */
export function checkAuthentication(
  { acr, authenticatedAtMs }: { readonly acr: string | null; readonly authenticatedAtMs: number | null },
  demand: AuthenticationDemand,
  nowMs: number,
): Refusal | undefined {
  const ageSeconds = authenticatedAtMs === null ? null : Math.floor((nowMs - authenticatedAtMs) / 1000)
  const isMet = acr !== null && isKnownClass(acr) && meetsClass(acr, demand.acr)
  if (isMet && ageSeconds !== null && ageSeconds <= demand.maxAgeSeconds) return undefined
  const detail = { required: demand.acr, reached: acr ?? 'none', ageSeconds, limitSeconds: demand.maxAgeSeconds }
  return refuse('authentication_insufficient', '', detail)
}

/** Returns the parameters of the challenge (RFC 9470 §3). */
export function challengeParameters({ acr, maxAgeSeconds }: AuthenticationDemand): readonly string[] {
  return [`acr_values="${acr}"`, `max_age="${maxAgeSeconds}"`]
}
