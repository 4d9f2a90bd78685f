/** What an authorization request means for its client: the request completed and limited by the registration. */

import { type ClaimsRequest, noClaims } from '../claims/claims-request.ts'
import { scopeOfClaim } from '../claims/standard-claims.ts'
import type { Client } from '../client/client.ts'
import { isPermitted, requestedScopes, type Scope } from '../scope/scope.ts'
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
): AuthorizationRequest {
  const scopes = requestedScopes(request.scopes, client, registeredScopes)
  const maxAgeSeconds = effectiveMaxAge(request.maxAgeSeconds, client)
  const claims = effectiveClaims(request.claims, scopes, client, registeredScopes)
  const isUnchanged =
    scopes.length === request.scopes.length && maxAgeSeconds === request.maxAgeSeconds && claims === request.claims
  return isUnchanged ? request : { ...request, scopes, maxAgeSeconds, claims }
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
  const owners = [...claims.idToken, ...claims.userinfo].map(scopeOfClaim).filter((scope) => scope !== undefined)
  return [...new Set([...scopes, ...owners])]
}

/** Claims that are not permitted are left out; OpenID Connect Core §5.5.1 forbids an error. */
function effectiveClaims(
  claims: ClaimsRequest,
  scopes: readonly string[],
  client: Client,
  registeredScopes: readonly Scope[],
): ClaimsRequest {
  const preferredAcr = claims.preferredAcr.length > 0 ? claims.preferredAcr : client.metadata.default_acr_values
  // RFC 9470 §4: a client without id tokens asks for a class as well, and finds it in access tokens.
  if (!scopes.includes('openid')) return preferredAcr.length === 0 ? noClaims : { ...noClaims, preferredAcr }
  const isDefaultAcr = client.metadata.default_acr_values.length > 0 && !claims.idToken.includes('acr')
  const mayHave = (claim: string): boolean => {
    const owner = scopeOfClaim(claim)
    return owner === undefined || isPermitted(owner, client, registeredScopes)
  }
  const idToken = [...claims.idToken.filter(mayHave), ...(isDefaultAcr ? ['acr'] : [])]
  const userinfo = claims.userinfo.filter(mayHave)
  const isUnchanged = idToken.length === claims.idToken.length && userinfo.length === claims.userinfo.length
  return isUnchanged && !isDefaultAcr ? claims : { ...claims, idToken, userinfo, preferredAcr }
}
