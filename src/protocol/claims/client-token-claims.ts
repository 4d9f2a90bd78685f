/** The claims of a token that a client gets for itself (RFC 6749 §4.4). */
import type { Confirmation } from '../token/confirmation.ts'
import { type ClaimsSet, repeated } from './claims.ts'

/** Returns the claims of an access token that a client got for itself: none is about a user (RFC 9068 §2.2). */
export function clientTokenClaims(input: {
  readonly issuer: string
  readonly clientId: string
  /** That of its service account, or its id: without a resource owner, the subject is the client (RFC 9068 §2.2). */
  readonly subject: string
  /** Those of its service account that the token tells. */
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  /** The key to which the token is bound; null: to none. */
  readonly confirmation: Confirmation | null
  readonly jti: string
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
}): ClaimsSet {
  const { nowSeconds } = input
  return {
    iss: input.issuer,
    sub: input.subject,
    aud: repeated(input.audience),
    exp: nowSeconds + input.lifetimeSeconds,
    iat: nowSeconds,
    jti: input.jti,
    client_id: input.clientId,
    scope: input.scopes,
    cnf: input.confirmation ?? undefined,
    role: repeated(input.roles),
  }
}
