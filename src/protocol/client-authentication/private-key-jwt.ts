import { hash } from 'node:crypto'
import { isNumericDate, objectIn, shownClaim } from '../authorization-request/compact-jws.ts'
import type { ClientAlgorithm } from '../client/client-metadata.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import type { AuthenticationDetail, ClientAuthenticationMethod, VerificationContext } from './method.ts'
import type { KeyAuthentication } from './registered.ts'

/** A signed assertion (RFC 7523 §2.2, OpenID Connect Core §9). Header and claims are as sent, not verified yet. */
export type AssertionCredentials = {
  readonly method: 'private_key_jwt' | 'client_secret_jwt'
  readonly clientId: string
  readonly assertion: string
  readonly algorithm: unknown
  readonly claims: Readonly<Record<string, unknown>>
}

/** `client_assertion_type` (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Seconds that a client's clock may be ahead. */
const skewSeconds = 30
/** Seconds that an assertion may be valid at most: for so long its `jti` is stored. */
const lifetimeAtMostSeconds = 3600

/** FAPI 2.0 Security Profile §5.4.1. */
const fapi2Algorithms: readonly ClientAlgorithm[] = ['PS256', 'ES256', 'EdDSA']

export const privateKeyJwt: ClientAuthenticationMethod<AssertionCredentials, KeyAuthentication> = {
  registeredAs: 'private_key_jwt',
  read({ assertion, assertionType: type, clientId, secret, authorization }) {
    if (assertion === null && type === null) return undefined
    if (secret !== null || authorization !== undefined) {
      return refuse('credentials_multiple', 'client_assertion', { rule: 'a secret or header beside the assertion' })
    }
    if (type === null) return refuse('client_assertion_type_missing', 'client_assertion_type')
    if (type !== assertionType) {
      return refuse('client_assertion_unsupported', 'client_assertion_type', {
        received: type,
        supported: assertionType,
      })
    }
    if (assertion === null) return refuse('client_assertion_missing', 'client_assertion')
    const [header, claims, signature, ...more] = assertion.split('.')
    const { alg, typ } = objectIn(header) ?? {}
    const claimed = objectIn(claims)
    if (alg === undefined || claimed === undefined || !signature || more.length > 0) {
      return refuse('client_assertion_malformed', 'client_assertion')
    }
    if (!isAssertionType(typ)) {
      const rule = 'it is a JWT for another purpose'
      return refuse('client_assertion_malformed', 'client_assertion', { type: shownClaim(typ), rule })
    }
    const { iss, sub } = claimed
    if (typeof sub !== 'string' || sub !== iss || (clientId !== null && clientId !== sub)) {
      const rule = 'iss and sub must both be the client_id'
      return refuse('client_assertion_client', 'client_assertion', {
        client: clientId,
        iss: shownClaim(iss),
        sub: shownClaim(sub),
        rule,
      })
    }
    // By the algorithm alone: what the client is registered for is checked afterwards (RFC 8725 §3.1).
    const method = typeof alg === 'string' && alg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt'
    return { method, clientId: sub, assertion, algorithm: alg, claims: claimed }
  },
  async verify({ assertion, algorithm: received, claims }, _registered, detail, context) {
    const permitted = permittedAlgorithms(context)
    const algorithm = permitted.find((one) => one === received)
    if (algorithm === undefined) {
      return refuse('client_assertion_algorithm', 'client_assertion', {
        ...detail,
        received: shownClaim(received),
        permitted,
      })
    }
    const refusal = judgeClaims(claims, detail, context)
    if (refusal !== undefined) return refusal
    const fault = await context.signatureFault(assertion, algorithm, context.metadata)
    return fault === undefined
      ? undefined
      : refuse('client_assertion_signature', 'client_assertion', { ...detail, rule: fault })
  },
}

/** A value that the request uses up, and the refusal if it was used before. */
export type SpentAssertion = { readonly id: string; readonly expiresAtMs: number; refuse(): Refusal }

/** Returns what a verified assertion uses up: its `jti`, over all endpoints (RFC 7523 §3, item 7). */
export function spentByAssertion({ clientId, claims }: AssertionCredentials): SpentAssertion {
  const value = hash('sha256', JSON.stringify([clientId, claims.jti]), 'base64url')
  return {
    id: `client_assertion:${value}`,
    expiresAtMs: Math.ceil(Number(claims.exp) * 1000),
    refuse: () => refuse('client_assertion_used', 'client_assertion', { client: clientId }),
  }
}

/** Keeps what the client signed for another purpose, such as a request object, from authenticating it (RFC 8725 §3.11). */
function isAssertionType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && /^(?:application\/)?(?:jwt|client-authentication\+jwt)$/i.test(typ)
}

function permittedAlgorithms({ algorithms, metadata }: VerificationContext): readonly ClientAlgorithm[] {
  const { token_endpoint_auth_signing_alg: registered, profile } = metadata
  return algorithms.filter(
    (one) => (registered === null || one === registered) && (profile !== 'fapi2' || fapi2Algorithms.includes(one)),
  )
}

/** RFC 7523 §3; the signature is checked afterwards. */
export function judgeClaims(
  { aud, exp, nbf, iat, jti }: AssertionCredentials['claims'],
  detail: AuthenticationDetail,
  { issuer, endpoints, metadata, nowMs }: VerificationContext,
): Refusal | undefined {
  const refused = (
    reason: 'client_assertion_audience' | 'client_assertion_time' | 'client_assertion_incomplete',
    more: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  ): Refusal => refuse(reason, 'client_assertion', { ...detail, ...more })
  // FAPI 2.0 Security Profile §5.3.2.1: the issuer, as a string.
  const isMeant =
    metadata.profile === 'fapi2'
      ? aud === issuer
      : [aud].flat().some((one) => [issuer, ...endpoints()].includes(one as string))
  if (!isMeant) {
    const received = [aud].flat().map(shownClaim)
    return refused('client_assertion_audience', { received, expected: issuer, profile: metadata.profile })
  }
  if (typeof jti !== 'string' || jti === '') return refused('client_assertion_incomplete', { rule: 'jti is missing' })
  if (!isNumericDate(exp)) return refused('client_assertion_incomplete', { rule: 'exp is missing' })
  if (![nbf, iat].every((time) => time === undefined || isNumericDate(time))) {
    return refused('client_assertion_incomplete', { rule: 'nbf and iat must be numbers' })
  }
  const nowSeconds = nowMs / 1000
  const times = { exp, nbf: nbf as number, iat: iat as number, now: Math.floor(nowSeconds) }
  if (nowSeconds >= exp) return refused('client_assertion_time', { rule: 'it has expired', ...times })
  if (exp > nowSeconds + lifetimeAtMostSeconds + skewSeconds) {
    return refused('client_assertion_time', {
      rule: `exp is more than ${lifetimeAtMostSeconds} seconds ahead`,
      ...times,
    })
  }
  const isAhead = [nbf, iat].some((time) => Number(time ?? 0) > nowSeconds + skewSeconds)
  return isAhead ? refused('client_assertion_time', { rule: 'nbf or iat is in the future', ...times }) : undefined
}
