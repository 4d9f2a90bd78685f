/** The media type in the header of access tokens, and what tells an access token from other JWTs without it. */
import { type ClaimShape, shapes } from '../claims/shapes.ts'

/** `at+jwt`: RFC 9068 §2.1. `JWT`: for resource servers that accept nothing else (RFC 7519 §5.1). */
export const accessTokenTypes = ['at+jwt', 'JWT'] as const

export type AccessTokenType = (typeof accessTokenTypes)[number]

/** Returns the type of an access token of the client. */
export function accessTokenTypeFor({
  metadata,
}: {
  readonly metadata: { readonly claim_shape: ClaimShape }
}): AccessTokenType {
  return shapes[metadata.claim_shape].isTypedJwt ? 'JWT' : 'at+jwt'
}

/**
 * Whether the claims are those of an access token of this service: it has `client_id` and `jti` (RFC 9068 §2.2), which no rule and no
 * request can put into an id token, signed userinfo or an authorization response; an id token has `at_hash`, and a logout
 * token `events` (OpenID Connect Back-Channel Logout §2.4).
 */
export function isOfAccessToken({ client_id, jti, at_hash, events }: Readonly<Record<string, unknown>>): boolean {
  return typeof client_id === 'string' && typeof jti === 'string' && at_hash === undefined && events === undefined
}
