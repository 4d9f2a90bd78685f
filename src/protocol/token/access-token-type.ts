/** The media type in the header of access tokens, and what tells an access token from other JWTs without it. */

import { type ClaimShape, shapes } from '../claims/shapes.ts'
import { isLogout } from '../logout/logout-event.ts'

/** `at+jwt`: RFC 9068 §2.1. `JWT`: for resource servers that accept nothing else (RFC 7519 §5.1). */
export const accessTokenTypes = ['at+jwt', 'JWT'] as const

export type AccessTokenType = (typeof accessTokenTypes)[number]

/** What a scope says of access tokens for its resources; null or absent: nothing. */
export type TypedScope = { readonly resources: readonly string[]; readonly accessTokenType?: AccessTokenType | null }

/**
 * Returns the type of an access token of the client for these resources. What scopes say of a resource of theirs wins over what the
 * client says; the type is `JWT` only if it is that of every resource. A shape that has a type wins over both. `scopes`: by name, at least those that say something.
 */
export function accessTokenTypeFor(
  {
    metadata,
  }: { readonly metadata: { readonly access_token_type: AccessTokenType; readonly claim_shape: ClaimShape } },
  resources: readonly string[],
  scopes: ReadonlyMap<string, TypedScope> = none,
): AccessTokenType {
  if (shapes[metadata.claim_shape].isTypedJwt) return 'JWT'
  const said = [...scopes.values()].filter(({ accessTokenType }) => accessTokenType != null)
  if (said.length === 0 || resources.length === 0) return metadata.access_token_type
  const isJwt = resources.every((resource) => {
    const ofResource = said.filter((scope) => scope.resources.includes(resource))
    if (ofResource.length === 0) return metadata.access_token_type === 'JWT'
    return ofResource.every(({ accessTokenType }) => accessTokenType === 'JWT')
  })
  return isJwt ? 'JWT' : 'at+jwt'
}

const none: ReadonlyMap<string, TypedScope> = new Map()

/**
 * Whether the claims are those of an access token of this service: it has `client_id` and `jti` (RFC 9068 §2.2), which no rule and no
 * request can put into an id token, signed userinfo or an authorization response; an id token has `at_hash`, and a logout
 * token the event of one. Other `events` may be those of a rule.
 */
export function isOfAccessToken({ client_id, jti, at_hash, events }: Readonly<Record<string, unknown>>): boolean {
  return typeof client_id === 'string' && typeof jti === 'string' && at_hash === undefined && !isLogout(events)
}
