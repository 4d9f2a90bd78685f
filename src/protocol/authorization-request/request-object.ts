/** Signed request objects (RFC 9101, OpenID Connect Core §6, FAPI 2.0 Message Signing §5.3). */
import type { Client } from '../client/client.ts'
import type { ClientAlgorithm } from '../client/client-metadata.ts'
import type { JsonObject } from '../json-value.ts'
import type { Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { isNumericDate, objectIn, shownClaim } from './compact-jws.ts'

/** A request object as sent; the signature is not verified yet. */
export type RequestObject = {
  readonly jws: string
  readonly algorithm: unknown
  readonly type: unknown
  readonly claims: JsonObject
}

/** What the rules need to know besides the client. */
export type RequestObjectContext = {
  readonly issuer: string
  /** Algorithms that the service verifies. */
  readonly algorithms: readonly ClientAlgorithm[]
  /** Epoch milliseconds: when the object was opened first. */
  readonly nowMs: number
}

/** Seconds that a client's clock may be ahead. */
const skewSeconds = 30
/** FAPI 2.0 Message Signing §5.3.1: the maximum age of `nbf`, and the maximum time from it to `exp`. */
const strictLifetimeSeconds = 3600
const strictAlgorithms: readonly ClientAlgorithm[] = ['PS256', 'ES256', 'EdDSA']

/** Claims about the JWT itself, which are no parameters of the request (RFC 7519 §4.1). */
const ownClaims: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']
/** Parameters in one request object. */
const parametersAtMost = 256

/** Reads a request object by value. Refuses encrypted ones. */
export function readRequestObject(jws: string, clientId: string): RequestObject | Refusal {
  const parts = jws.split('.')
  const header = objectIn(parts[0])
  if (parts.length === 5 || header?.enc !== undefined)
    return refuse('request_object_encrypted', 'request', { client: clientId })
  const claims = objectIn(parts[1])
  if (parts.length !== 3 || header === undefined || claims === undefined) {
    return refuse('request_object_malformed', 'request', { client: clientId, rule: 'it is no JWT' })
  }
  // An extension that changes the meaning of the object (RFC 7515 §4.1.11). None is supported.
  if (header.crit !== undefined) {
    return refuse('request_object_malformed', 'request', { client: clientId, rule: 'crit is not supported' })
  }
  return { jws, algorithm: header.alg, type: header.typ, claims }
}

/** Returns the algorithm of the object, if the client may use it. */
export function requestObjectAlgorithm(
  { algorithm: received }: RequestObject,
  { id, metadata }: Client,
  { algorithms }: RequestObjectContext,
): ClientAlgorithm | Refusal {
  const { request_object_signing_alg: registered, profile } = metadata
  const permitted = algorithms.filter(
    (one) => (registered === null || one === registered) && (profile !== 'fapi2' || strictAlgorithms.includes(one)),
  )
  const algorithm = permitted.find((one) => one === received)
  if (algorithm !== undefined) return algorithm
  return refuse('request_object_algorithm', 'request', { client: id, received: shownClaim(received), permitted })
}

/** Checks type and claims (RFC 9101 §4, §10.8); the signature is checked separately. */
export function judgeRequestObject(
  { type, claims }: RequestObject,
  client: Client,
  context: RequestObjectContext,
): Refusal | undefined {
  const invalid = (rule: string, received?: unknown): Refusal => {
    const more = received === undefined ? {} : { received: shownClaim(received) }
    return refuse('request_object_claims', 'request', { client: client.id, rule, ...more })
  }
  const mediaType = typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : type
  // RFC 9101 §10.8: a JWT for another purpose is no request object.
  if (mediaType !== undefined && mediaType !== 'oauth-authz-req+jwt' && mediaType !== 'jwt') {
    return invalid('typ must be oauth-authz-req+jwt or JWT', type)
  }
  const { iss, sub, aud, client_id: clientId, request, request_uri: requestUri } = claims
  if (iss !== client.id) return invalid('iss must be the client_id', iss)
  // RFC 9101 §10.8: sub would turn the object into an assertion that authenticates the client.
  if (sub === client.id) return invalid('sub must not be the client_id')
  if (clientId !== undefined && clientId !== client.id)
    return invalid('client_id must be that of the request', clientId)
  if (![aud].flat().includes(context.issuer)) return invalid('aud must be the issuer', [aud].flat()[0])
  // RFC 9101 §4.
  if (request !== undefined || requestUri !== undefined) return invalid('it must not contain request or request_uri')
  return judgeTimes(claims, client, context.nowMs / 1000, invalid)
}

function judgeTimes(
  { exp, nbf, iat }: JsonObject,
  { metadata }: Client,
  nowSeconds: number,
  invalid: (rule: string) => Refusal,
): Refusal | undefined {
  if (![exp, nbf, iat].every((time) => time === undefined || isNumericDate(time))) {
    return invalid('exp, nbf and iat must be numbers')
  }
  const [end, start] = [exp as number | undefined, nbf as number | undefined]
  if (end !== undefined && nowSeconds >= end) return invalid('it has expired (exp)')
  if (start !== undefined && start > nowSeconds + skewSeconds) return invalid('it is not valid yet (nbf)')
  if (metadata.profile !== 'fapi2') return undefined
  if (end === undefined || start === undefined) return invalid('exp and nbf are mandatory')
  if (start < nowSeconds - strictLifetimeSeconds) return invalid('nbf is more than 60 minutes ago')
  return end > start + strictLifetimeSeconds ? invalid('exp is more than 60 minutes after nbf') : undefined
}

/**
 * Returns the claims as parameters of the request: objects as JSON text, an array of texts as repeated parameters
 * (RFC 9101 §4, RFC 8707 §2.1).
 */
export function parametersOfObject({ claims }: RequestObject, clientId: string): Parameters | Refusal {
  const parameters = Object.entries(claims)
    .filter(([name]) => name !== 'client_id' && !ownClaims.includes(name))
    .flatMap(([name, value]) => textsOf(value).map((text) => [name, text] as const))
  const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
  if (parameters.length >= parametersAtMost || !parameters.every((pair) => pair.every(isText))) {
    const rule = `at most ${parametersAtMost} parameters of well-formed text without NUL`
    return refuse('request_object_malformed', 'request', { client: clientId, rule })
  }
  return [['client_id', clientId], ...parameters]
}

function textsOf(value: unknown): readonly string[] {
  if (value === null) return []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
