/** Verifies JWTs that this service signed itself. */
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { compactVerify } from 'jose/jws/compact/verify'
import type { KeyRing } from '../keys/key-ring.ts'
import { type Confirmation, readConfirmation } from '../protocol/confirmation.ts'

/** The claims that this service reads back from its access tokens (RFC 9068 §2.2). */
export type VerifiedAccessToken = {
  /** The user; without a grant, the client. */
  readonly subject: string
  readonly clientId: string
  /** Null: the client got it for itself (RFC 6749 §4.4). */
  readonly grantId: string | null
  readonly jti: string
  /** Rounded down to a second. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  /** The key that its sender must prove to have; null: none. */
  readonly confirmation: Confirmation | null
}

export type VerifiedIdToken = { readonly subject: string; readonly audience: string }

/**
 * Returns the content of an unexpired access token of this issuer; undefined: invalid. Also checks the media type, so
 * that an id token is never accepted as an access token (RFC 9068 §4).
 */
export async function verifyAccessToken(
  token: string,
  keys: KeyRing,
  issuer: string,
  nowMs: number,
): Promise<VerifiedAccessToken | undefined> {
  const claims = await verifySignature(token, 'at+jwt', keys, issuer)
  if (claims === undefined) return undefined
  const { sub, client_id, grant_id = null, jti, iat, exp, nbf, scope, aud } = claims
  if (typeof exp !== 'number' || typeof iat !== 'number' || nowMs >= exp * 1000) return undefined
  // RFC 7519 §4.1.5. This service's tokens have no `nbf`, but it is honoured.
  if (nbf !== undefined && (typeof nbf !== 'number' || nowMs < nbf * 1000)) return undefined
  if (typeof sub !== 'string' || typeof client_id !== 'string') return undefined
  if (typeof jti !== 'string' || !Array.isArray(scope)) return undefined
  if (grant_id !== null && typeof grant_id !== 'string') return undefined
  if (grant_id === null && sub !== client_id) return undefined
  const confirmation = readConfirmation(claims.cnf)
  if (confirmation === undefined) return undefined
  return {
    subject: sub,
    clientId: client_id,
    grantId: grant_id,
    jti,
    issuedAtMs: iat * 1000,
    expiresAtMs: exp * 1000,
    scopes: scope,
    audience: Array.isArray(aud) ? aud : [String(aud)],
    confirmation,
  }
}

/**
 * Returns the content of an id token of this issuer, expired or not (RP-Initiated Logout §2 accepts expired ones);
 * undefined: invalid.
 */
export async function verifyIdTokenHint(
  token: string,
  keys: KeyRing,
  issuer: string,
): Promise<VerifiedIdToken | undefined> {
  const claims = await verifySignature(token, 'JWT', keys, issuer)
  if (claims === undefined) return undefined
  const { sub, aud } = claims
  return typeof sub === 'string' && typeof aud === 'string' ? { subject: sub, audience: aud } : undefined
}

async function verifySignature(
  token: string,
  typ: string,
  keys: KeyRing,
  issuer: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    if (!hasCanonicalSignature(token)) return undefined
    const header = decodeProtectedHeader(token)
    if (header.typ !== typ || header.kid === undefined) return undefined
    const key = keys.verificationKey(header.kid)
    if (key === undefined) return undefined
    // The algorithm comes from the key, never from the token alone (RFC 8725 §3.1).
    const { payload } = await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] })
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
    if (typeof claims !== 'object' || claims === null || !('iss' in claims) || claims.iss !== issuer) return undefined
    return claims as Record<string, unknown>
  } catch {
    // An invalid token, whatever its fault.
    return undefined
  }
}

/**
 * Whether the signature is canonical base64url, without padding or stray bits (RFC 7515 §2). The library accepts other
 * encodings as well. Header and claims have a single encoding, because their encoded text is signed.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
