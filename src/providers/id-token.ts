/** What is checked of an id token (OpenID Connect Core §3.1.3.7, §3.1.3.8). */
import { hash } from 'node:crypto'
import type { JWTPayload, JWTVerifyOptions } from 'jose'
import { type ProviderFailure, untrusted } from './provider.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { type RelyingParty, subjectFrom } from './relying-party.ts'

export type Expected = {
  readonly clientId: string
  readonly nonce: string
  readonly accessToken: string
  readonly nowMs: number
}

/** How far the clocks may differ for `exp` and `nbf`. */
const toleranceSeconds = 30
/** How far `iat` may be ahead. */
const aheadSeconds = 60

/** Returns the claims of a token that passes every check. Rejects with `ProviderFailure`. */
export async function verifyIdToken(
  token: unknown,
  party: RelyingParty,
  keys: ProviderKeys,
  expected: Expected,
): Promise<JWTPayload & { readonly sub: string }> {
  const { name, metadata } = party
  if (typeof token !== 'string') throw untrusted(name, 'id_token', 'the token endpoint answered no id token')
  const { payload, algorithm } = await verifySigned(token, party, keys, {
    // Core §3.1.3.7 rule 7: RS256 unless the provider says otherwise.
    algorithms: signingAlgorithms(metadata.id_token_signing_alg_values_supported),
    issuer: metadata.issuer,
    audience: expected.clientId,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'],
    currentDate: new Date(expected.nowMs),
    clockTolerance: toleranceSeconds,
  })
  const { sub, aud, azp, iat = 0, nonce, at_hash: accessTokenHash } = payload
  if (nonce !== expected.nonce) throw untrusted(name, 'nonce', 'the nonce is not that of this sign-in')
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== expected.clientId) {
    const rule =
      azp === undefined ? 'the token is for several, and names nobody as azp' : 'the token was made for another client'
    throw untrusted(name, 'azp', rule, { received: azp, expected: expected.clientId })
  }
  const ahead = Math.floor(iat - expected.nowMs / 1000)
  if (ahead > aheadSeconds) throw untrusted(name, 'iat', `the token was issued ${ahead} seconds ahead of the clock`)
  if (accessTokenHash !== undefined && accessTokenHash !== hashOf(expected.accessToken, algorithm)) {
    throw untrusted(name, 'at_hash', 'the access token is not the one that the id token is for')
  }
  const subject = subjectFrom(sub)
  if (subject === null) throw untrusted(name, 'sub', 'the subject is no text of at most 255 characters')
  return { ...payload, sub: subject }
}

/** Returns the claims of a JWS by a key of the provider. Rejects with `ProviderFailure`. */
export async function verifySigned(
  token: string,
  party: RelyingParty,
  keys: ProviderKeys,
  options: JWTVerifyOptions,
): Promise<{ readonly payload: JWTPayload; readonly algorithm: string }> {
  const [{ jwtVerify }, errors] = await Promise.all([import('jose/jwt/verify'), import('jose/errors')])
  try {
    const verified = await keys.withKeyOf(party, token, (key) => jwtVerify(token, key as never, options))
    return { payload: verified.payload, algorithm: verified.protectedHeader.alg }
  } catch (error) {
    throw failureOf(party.name, error, errors)
  }
}

function failureOf(name: string, error: unknown, errors: typeof import('jose/errors')): ProviderFailure | unknown {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    const { claim, payload, message } = error
    return untrusted(name, claim, message, claim === 'nonce' ? {} : { received: payload[claim] }, error)
  }
  const isSignature =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed
  if (isSignature) return untrusted(name, 'signature', error.message, {}, error)
  // The header, or the key that it names, is none.
  const isMalformed = error instanceof errors.JOSEError || error instanceof TypeError
  return isMalformed ? untrusted(name, 'signature', `the token cannot be verified: ${error.message}`, {}, error) : error
}

/** A secret verifies no signature here, and nothing does without one. */
export function signingAlgorithms(announced: unknown): string[] {
  const names = Array.isArray(announced) ? announced.filter((name) => typeof name === 'string') : ['RS256']
  return names.filter((name) => name !== 'none' && !name.startsWith('HS'))
}

/** The left half of the hash that belongs to the algorithm (Core §3.1.3.6). */
function hashOf(accessToken: string, algorithm: string): string {
  const digest = algorithm.startsWith('ML-DSA')
    ? // FIPS 204 §3.7: ML-DSA hashes with SHAKE256, of which 512 bits are taken.
      hash('shake256', accessToken, { outputEncoding: 'buffer', outputLength: 64 })
    : hash(digestNames[algorithm.slice(-3)] ?? 'sha512', accessToken, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** By the end of the algorithm's name. Ed25519 hashes with SHA-512. */
const digestNames: Readonly<Record<string, string>> = { '256': 'sha256', '384': 'sha384', '512': 'sha512' }
