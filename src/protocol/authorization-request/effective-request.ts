/** What an authorization request means for its client: the request completed and limited by the registration. */

import { type ClaimsRequest, noClaims } from '../claims/claims-request.ts'
import { isSetBy, type KnownRules } from '../claims/known-rules.ts'
import { scopeOfClaim } from '../claims/standard-claims.ts'
import type { Client } from '../client/client.ts'
import { isPermitted, requestedScopes, type Scope, withDefaultScopes } from '../scope/scope.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { effectiveMaxAge } from './sign-in-age.ts'

/**
 * Returns the request under the rules of its client: without scopes that it ignores, without claims that it may not
 * request, and with its defaults (OpenID Connect Registration §2).
 */
export function effectiveRequest(
  request: AuthorizationRequest,
  client: Client,
  registeredScopes: readonly Scope[],
  ruled: KnownRules['scopes'] = new Map(),
): AuthorizationRequest {
  const scopes = requestedScopes(request.scopes, client, registeredScopes)
  const maxAgeSeconds = effectiveMaxAge(request.maxAgeSeconds, client)
  const claims = effectiveClaims(request.claims, scopes, client, registeredScopes, ruled)
  const isUnchanged =
    scopes.length === request.scopes.length && maxAgeSeconds === request.maxAgeSeconds && claims === request.claims
  return isUnchanged ? request : { ...request, scopes, maxAgeSeconds, claims }
}

/** Returns the request with the scopes that count as requested for its client; unchanged where there are none. */
export function completedRequest(
  request: AuthorizationRequest,
  client: Pick<Client, 'scopes' | 'metadata'>,
  registeredScopes: readonly Scope[],
): AuthorizationRequest {
  const scopes = withDefaultScopes(request.scopes, client, registeredScopes)
  return scopes === request.scopes ? request : { ...request, scopes }
}

/**
 * Returns the scopes that the user must consent to: those of the request, and for each claim that is requested one by
 * one the scope that it belongs to.
 */
export function scopesToConsent({
  scopes,
  claims,
}: Pick<AuthorizationRequest, 'scopes' | 'claims'>): readonly string[] {
  if (claims.idToken.length === 0 && claims.userinfo.length === 0) return scopes
  const owners = [...claims.idToken, ...claims.userinfo].map(ownerOf).filter((scope) => scope !== undefined)
  return [...new Set([...scopes, ...owners])]
}

/** Returns the scope that a claim belongs to: one of the standard, or that by which a claim of rules is named. */
const ownerOf = (claim: string): string | undefined =>
  claim.includes(' ') ? claim.slice(0, claim.indexOf(' ')) : scopeOfClaim(claim)

/** Whether a request names claims that are none of the standard. */
export function hasOtherClaims({ idToken, userinfo }: Pick<ClaimsRequest, 'idToken' | 'userinfo'>): boolean {
  return [...idToken, ...userinfo].some((claim) => claim !== 'acr' && scopeOfClaim(claim) === undefined)
}

/** Claims that are not permitted are left out; OpenID Connect Core §5.5.1 forbids an error. */
function effectiveClaims(
  claims: ClaimsRequest,
  scopes: readonly string[],
  client: Client,
  registeredScopes: readonly Scope[],
  ruled: KnownRules['scopes'],
): ClaimsRequest {
  const preferredAcr = claims.preferredAcr.length > 0 ? claims.preferredAcr : client.metadata.default_acr_values
  // RFC 9470 §4: a client without id tokens asks for a class as well, and finds it in access tokens.
  if (!scopes.includes('openid')) return preferredAcr.length === 0 ? noClaims : { ...noClaims, preferredAcr }
  const isDefaultAcr = client.metadata.default_acr_values.length > 0 && !claims.idToken.includes('acr')
  const permitted = (claim: string): readonly string[] => {
    const owner = scopeOfClaim(claim)
    if (owner !== undefined) return isPermitted(owner, client, registeredScopes) ? [claim] : []
    if (claim === 'acr') return [claim]
    const scope = client.scopes.find((name) => ruled.get(name)?.claims.some((rule) => isSetBy(rule, claim)))
    return scope === undefined ? [] : [`${scope} ${claim}`]
  }
  const idToken = [...claims.idToken.flatMap(permitted), ...(isDefaultAcr ? ['acr'] : [])]
  const userinfo = claims.userinfo.flatMap(permitted)
  const isUnchanged = idToken.join() === claims.idToken.join() && userinfo.join() === claims.userinfo.join()
  return isUnchanged && !isDefaultAcr ? claims : { ...claims, idToken, userinfo, preferredAcr }
}
