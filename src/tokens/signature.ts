/**
 * Verifies signatures of JWTs that this service signed itself (RFC 7515 §5.2). Implemented beside `sign.ts` for the
 * same reason: for elliptic curves the round trip to the thread pool costs more than the verification.
 */
import { constants as cryptoConstants, hash, type VerifyKeyObjectInput, verify } from 'node:crypto'
import type { KeyRing, VerificationKey } from '../keys/key-ring.ts'

/** How long a key that another process has just made may be unknown here. In milliseconds. */
const ringMaxAgeMs = 1000

/** A JWT Claims Set that this service signed; undefined: the token is invalid, whatever its fault. */
export type OpenedClaims = Readonly<Record<string, unknown>> | undefined

/**
 * Returns the claims of a JWT of one of the media types `typs` that this issuer signed with one of its published keys, expired or
 * not. Returns a promise only of a token that was not verified lately.
 */
export function verifyJwt(
  token: string,
  typs: readonly string[],
  keys: KeyRing,
  issuer: string,
): OpenedClaims | Promise<OpenedClaims> {
  const id = hash('sha256', token, 'base64')
  const known = remembered(id, typs, keys)
  if (known !== undefined) return known.iss === issuer ? known : undefined
  return verifyAnew(token, id, typs, keys, issuer)
}

/** Does the same for a token without an end: its key may have left the key set long ago. */
export function verifyIssued(token: string, typ: string, keys: KeyRing, issuer: string): Promise<OpenedClaims> {
  return verifyAnew(token, hash('sha256', token, 'base64'), [typ], keys, issuer, (kid) => keys.issuedKey(kid))
}

async function verifyAnew(
  token: string,
  id: string,
  typs: readonly string[],
  keys: KeyRing,
  issuer: string,
  later = (kid: string) => readAgain(keys, kid),
): Promise<OpenedClaims> {
  const [encodedHeader = '', payload = '', encodedSignature = '', ...more] = token.split('.')
  const signature = Buffer.from(encodedSignature, 'base64url')
  // Accepts only the canonical encoding, so that each token has one spelling (RFC 7515 §2). Header and claims have a
  // single encoding, because their encoded text is signed.
  if (more.length > 0 || signature.toString('base64url') !== encodedSignature) return undefined
  const header = objectIn(encodedHeader)
  const typ = typs.find((one) => one === header?.typ)
  if (header === undefined || typ === undefined || typeof header.kid !== 'string') return undefined
  const key = keys.verificationKey(header.kid) ?? (await later(header.kid))
  // The algorithm comes from the key, never from the token alone (RFC 8725 §3.1). No extension is understood (RFC 7515
  // §4.1.11).
  if (key === undefined || header.alg !== key.algorithm || 'crit' in header) return undefined
  const signed = Buffer.from(`${encodedHeader}.${payload}`, 'ascii')
  if (!isSignedBy(key, signed, signature)) return undefined
  const claims = objectIn(payload)
  if (claims === undefined) return undefined
  remember(id, { typ, key, claims })
  return claims.iss === issuer ? claims : undefined
}

/** A token whose signature was verified. Its claims are not changed. */
type Verified = {
  readonly typ: string
  readonly key: VerificationKey
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Verified tokens by their hash, so that the bearer secret itself is not kept: an application presents the same one many
 * times. Two generations, of which the older one is dropped when the newer one is full.
 */
let newer = new Map<string, Verified>()
let older = new Map<string, Verified>()
const generationSize = 1024

/** A signature holds for ever, but its key must still be published, in the ring of this verification. */
function remembered(id: string, typs: readonly string[], keys: KeyRing): OpenedClaims {
  const found = newer.get(id) ?? older.get(id)
  if (found === undefined || !typs.includes(found.typ) || keys.verificationKey(found.key.kid) !== found.key)
    return undefined
  return found.claims
}

function remember(id: string, verified: Verified): void {
  if (newer.size >= generationSize) {
    older = newer
    newer = new Map()
  }
  newer.set(id, verified)
}

async function readAgain(keys: KeyRing, kid: string): Promise<VerificationKey | undefined> {
  await keys.refresh(ringMaxAgeMs)
  return keys.verificationKey(kid)
}

function isSignedBy({ algorithm, publicKey }: VerificationKey, signed: Buffer, signature: Buffer): boolean {
  switch (algorithm) {
    case 'RS256':
      return verify('sha256', signed, publicKey, signature)
    case 'PS256':
      return verify('sha256', signed, { key: publicKey, ...pss }, signature)
    case 'ES256':
      // RFC 7518 §3.4: the concatenation of R and S, not a DER structure.
      return signature.length === 64 && verify('sha256', signed, { key: publicKey, ...concatenated }, signature)
    case 'EdDSA':
    case 'ML-DSA-65':
      return verify(null, signed, publicKey, signature)
    default:
      // A key of a newer version.
      return false
  }
}

type Parameters = Omit<VerifyKeyObjectInput, 'key'>

/** RFC 7518 §3.5: the salt is as long as the hash. */
const pss: Parameters = {
  padding: cryptoConstants.RSA_PKCS1_PSS_PADDING,
  saltLength: cryptoConstants.RSA_PSS_SALTLEN_DIGEST,
}
const concatenated: Parameters = { dsaEncoding: 'ieee-p1363' }

/** Returns the JSON object in base64url; undefined: there is none. */
function objectIn(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
