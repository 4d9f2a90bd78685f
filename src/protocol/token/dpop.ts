/**
 * DPoP proofs (RFC 9449 §4): a JWT by which a client proves, for one request, that it has the private key to which its
 * tokens are bound. The signature is verified in `tokens/dpop-proof.ts`.
 */

import { rsaJwkFault } from '../client/rsa-key.ts'
import type { ParameterReader } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'

/** RS256 is left out: no client of an earlier standard depends on it, and RFC 8725 §3.2 advises against it. */
export const proofAlgorithms = ['Ed25519', 'EdDSA', 'ES256', 'PS256'] as const

export type ProofAlgorithm = (typeof proofAlgorithms)[number]

/** Age in milliseconds at which a proof is no longer accepted. Its `jti` is remembered for longer. */
const ageAtMostMs = 60_000
/** How far ahead the client's clock may be. */
const aheadAtMostMs = 30_000

/** Longer proofs are refused unread. The longest acceptable one has an RSA key of 4096 bits. */
const lengthAtMost = 4096

/** The members of a public key that its thumbprint covers, in the order of RFC 7638 §3.2. */
export type ProofKey = Readonly<Record<string, string>>

export type ProofHeader = { readonly algorithm: ProofAlgorithm; readonly key: ProofKey }

/** What a proof must be for. Addresses are those that the service has for its clients, never the `Host` of a request. */
export type ProofPurpose = {
  readonly method: string
  /** Those of the endpoint: of the issuer, and its alias. */
  readonly addresses: readonly string[]
  /** SHA-256 of the access token, base64url; undefined: the request has none. */
  readonly accessTokenHash?: string | undefined
}

/** The claims of a valid proof that outlive its check. */
export type ProofClaims = {
  readonly jti: string
  /** Until when the `jti` must be remembered. */
  readonly rememberUntilMs: number
  /** Undefined: absent. */
  readonly nonce: string | undefined
}

export function proofRefusal(rule: string, detail: Readonly<Record<string, string | number>> = {}): Refusal {
  return refuse('dpop_proof_invalid', 'DPoP', { rule, ...detail })
}

/**
 * Returns the proof of a request; undefined: it has none. Servers join repeated headers with a comma, which no JWT
 * contains (§4.3, item 1).
 */
export function readProofField(field: string | readonly string[] | undefined): string | Refusal | undefined {
  if (field === undefined) return undefined
  if (typeof field !== 'string' || field.includes(',')) return proofRefusal('the header was sent more than once')
  if (field.length > lengthAtMost) {
    return proofRefusal('it is too long', { receivedLength: field.length, limit: lengthAtMost })
  }
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(field) ? field : proofRefusal('it is not a JWT in compact form')
}

/** Checks type, algorithm and key (§4.3, items 4 to 6 and 8; RFC 8725 §3.1). */
export function checkProofHeader(header: Readonly<Record<string, unknown>>): ProofHeader | Refusal {
  const { typ, alg, jwk, crit } = header
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'dpop+jwt') return proofRefusal('typ is not dpop+jwt')
  if (crit !== undefined) return proofRefusal('no extension of JWS is supported (crit)')
  const algorithm = proofAlgorithms.find((supported) => supported === alg)
  if (algorithm === undefined) return proofRefusal(`alg is none of ${proofAlgorithms.join(', ')}`)
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return proofRefusal('jwk is no JSON Web Key')
  if (privateMembers.some((member) => member in jwk)) return proofRefusal('jwk contains a private key')
  const key = publicKeyFor(algorithm, jwk as Readonly<Record<string, unknown>>)
  return key === undefined ? proofRefusal(`jwk is no acceptable key for ${algorithm}`) : { algorithm, key }
}

/** RFC 7518 §6.2.2, §6.3.2, §6.4.1, and RFC 8037 §2. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** 32 bytes in canonical base64url: a coordinate of P-256, or a key of Ed25519. */
const bytes32 = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const modulus = /^[\w-]{342,683}$/
/** 3 and 65537 in their one spelling. */
const exponent = /^(?:Aw|AQAB)$/

/** Returns the members that identify a key of the algorithm's type and strength; undefined: it is none. */
function publicKeyFor(algorithm: ProofAlgorithm, jwk: Readonly<Record<string, unknown>>): ProofKey | undefined {
  const { kty, crv, x, y, n, e } = jwk
  const matches = (value: unknown, syntax: RegExp): value is string => typeof value === 'string' && syntax.test(value)
  switch (algorithm) {
    case 'ES256':
      if (kty !== 'EC' || crv !== 'P-256' || !matches(x, bytes32) || !matches(y, bytes32)) return undefined
      return { crv, kty, x, y }
    case 'PS256':
      // At most 4096 bits. A thumbprint is of one spelling, without leading zeros.
      if (kty !== 'RSA' || !matches(n, modulus) || n.startsWith('A') || !matches(e, exponent)) return undefined
      if (rsaJwkFault({ kty, n, e }) !== undefined) return undefined
      return { e, kty, n }
    default:
      if (kty !== 'OKP' || crv !== 'Ed25519' || !matches(x, bytes32)) return undefined
      return { crv, kty, x }
  }
}

/** Checks the claims (§4.3, items 3, 9 to 12). Others are ignored. */
export function checkProofClaims(
  claims: Readonly<Record<string, unknown>>,
  { method, addresses, accessTokenHash }: ProofPurpose,
  nowMs: number,
): ProofClaims | Refusal {
  const { jti, htm, htu, iat, exp, nbf, nonce, ath } = claims
  if (typeof jti !== 'string' || jti === '') return proofRefusal('jti is missing')
  if (htm !== method) return proofRefusal('htm is not the method of the request', { expected: method })
  if (typeof htu !== 'string' || !addresses.some((address) => normalised(htu) === normalised(address))) {
    return proofRefusal('htu is not the address of the request', { expected: addresses.join(' ') })
  }
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return proofRefusal('iat is missing')
  const ageSeconds = Math.round(nowMs / 1000 - iat)
  if (nowMs - iat * 1000 > ageAtMostMs) return proofRefusal('it is too old', { ageSeconds })
  if (iat * 1000 - nowMs > aheadAtMostMs) return proofRefusal('iat is in the future', { ageSeconds })
  if (exp !== undefined && !(typeof exp === 'number' && nowMs < exp * 1000 + aheadAtMostMs)) {
    return proofRefusal('it has expired (exp)')
  }
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf * 1000 - nowMs <= aheadAtMostMs)) {
    return proofRefusal('it is not valid yet (nbf)')
  }
  if (nonce !== undefined && typeof nonce !== 'string') return proofRefusal('nonce is not text')
  if (accessTokenHash !== undefined && ath !== accessTokenHash) {
    return proofRefusal('ath is not the hash of the access token')
  }
  // Twice the age, so that a process whose clock is behind still finds it.
  return { jti, rememberUntilMs: iat * 1000 + 2 * ageAtMostMs, nonce }
}

/**
 * Returns the address without query and fragment, with scheme, host, port and dot segments normalised (RFC 3986 §6.2.2,
 * §6.2.3); undefined: not an HTTP address.
 */
function normalised(address: string): string | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(address)) return undefined
  const url = URL.parse(address)
  return url === null ? undefined : `${url.origin}${url.pathname}`
}

/** Parses `dpop_jkt` (§10), the SHA-256 thumbprint of the key to which the code shall be bound; null: absent. */
export function parseDpopKey(reader: ParameterReader): string | null {
  const thumbprint = reader.optional('dpop_jkt')
  if (thumbprint !== null && !bytes32.test(thumbprint)) {
    const rule = 'the SHA-256 thumbprint of a key, 43 characters of base64url'
    reader.refuse(refuse('parameter_malformed', 'dpop_jkt', { received: thumbprint, rule }))
  }
  return thumbprint
}
