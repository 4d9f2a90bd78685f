/**
 * Verifies id tokens of a system of before, which come back as hints (OpenID Connect RP-Initiated Logout 1.0 §2). Nothing else calls this:
 * what such a key signed counts for nothing but who a hint is about.
 */
import { constants as cryptoConstants, type KeyObject, verify } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import type { OpenedClaims } from './signature.ts'

/** Returns the claims of an id token of this issuer, expired or not; undefined: none that an imported key signed. */
export function verifyImportedIdToken(token: string, keys: KeyRing, issuer: string): OpenedClaims {
  const [encodedHeader = '', payload = '', encodedSignature = '', ...more] = token.split('.')
  if (more.length > 0) return undefined
  const header = objectIn(encodedHeader)
  // Some systems leave the type out. An access token has another one (RFC 9068 §2.1), or says so in its claims.
  if (header === undefined || (header.typ !== undefined && header.typ !== 'JWT') || 'crit' in header) return undefined
  const key = typeof header.kid === 'string' ? keys.importedKey(header.kid) : undefined
  if (key === undefined || header.alg !== key.algorithm) return undefined
  const signed = Buffer.from(`${encodedHeader}.${payload}`, 'ascii')
  if (!isSignedBy(key.algorithm, key.publicKey, signed, Buffer.from(encodedSignature, 'base64url'))) return undefined
  const claims = objectIn(payload)
  if (claims?.iss !== issuer) return undefined
  // Keycloak says in the claims what a token is.
  return claims.typ === undefined || claims.typ === 'ID' ? claims : undefined
}

/** RFC 7518 §3.3 to §3.5, RFC 8037 §3.1. */
function isSignedBy(algorithm: string, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  if (algorithm === 'EdDSA') return verify(null, signed, key, signature)
  const [, family, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(algorithm) ?? []
  switch (family) {
    case 'RS':
      return verify(`sha${bits}`, signed, key, signature)
    case 'PS': {
      const padding = cryptoConstants.RSA_PKCS1_PSS_PADDING
      return verify(
        `sha${bits}`,
        signed,
        { key, padding, saltLength: cryptoConstants.RSA_PSS_SALTLEN_DIGEST },
        signature,
      )
    }
    case 'ES':
      return verify(`sha${bits}`, signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
    default:
      return false
  }
}

function objectIn(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
