/** What an access token shows of a person, by the registration of its client. */

import type { RequestingClient } from '../client/client.ts'
import type { ClaimsSet } from './claims.ts'
import { shapes } from './shapes.ts'
import { claimsOfScopes } from './standard-claims.ts'

/** Every claim about the person that an access token can have. */
export const userClaims: readonly string[] = ['name', 'preferred_username', 'email', 'email_verified', 'role']

/** Whether access tokens of the client name their scopes in one text (RFC 9068 §2.2.3), not in an array. */
export const hasScopeText = ({ access_token_scope, claim_shape }: RequestingClient['metadata']): boolean =>
  access_token_scope === 'string' || shapes[claim_shape].isScopeText

/** Returns the claims of an access token in the form that its client registered. */
export function asRegistered(claims: ClaimsSet, { metadata }: RequestingClient): ClaimsSet {
  const { access_token_scope: form, access_token_claims: content } = metadata
  // Those of a token that the client got for itself are its own, which an operator gave it.
  const isWhole = showsAll(metadata) || (claims.grant_id === undefined && content === 'all')
  if (form === 'array' && isWhole) return claims
  const { scope } = claims
  // RFC 9068 §2.2.3 has a text in place of an array, and RFC 6749 §3.3 none that is empty.
  const text = Array.isArray(scope) ? scope.join(' ') || undefined : scope
  // No operator decided what a client that registered itself learns of people, so its scopes do.
  const asked = content === 'all' && Array.isArray(scope) ? claimsOfScopes(scope) : []
  const shown = isWhole ? claims : withoutUser(claims, asked)
  return { ...shown, scope: form === 'string' ? text : scope }
}

/** A pairwise client, whose person has another `sub` elsewhere, is told a unique name for its scope alone as well. */
const showsAll = ({ access_token_claims: content, registration, subject_type }: Shown): boolean =>
  content === 'all' && registration === 'operator' && subject_type === 'public'

type Shown = Pick<RequestingClient['metadata'], 'access_token_claims' | 'registration' | 'subject_type'>

/** Whether access tokens of the client with these scopes show the claim about the person. */
export function isShown(claim: string, metadata: Shown, scopes: readonly string[]): boolean {
  const { access_token_claims: content } = metadata
  return showsAll(metadata) || (content === 'all' && claimsOfScopes(scopes).includes(claim))
}

/** Returns the claims of an access token without those about the person but `kept`. */
export function withoutUser(claims: ClaimsSet, kept: readonly string[] = []): ClaimsSet {
  const isKept = (name: string): boolean => !userClaims.includes(name) || kept.includes(name)
  return Object.fromEntries(Object.entries(claims).filter(([name]) => isKept(name)))
}
