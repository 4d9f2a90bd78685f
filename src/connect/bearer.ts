/** What resource endpoints share: they are called with an access token of this service (RFC 6750, RFC 9449 §7). */

import { type Answer, empty } from '../http/answer.ts'
import { isForm, readForm } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import {
  type AuthenticationDemand,
  challengeParameters,
  checkAuthentication,
} from '../protocol/authorization-request/step-up.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { type Refusal, refuse, statusOf } from '../protocol/refusals/index.ts'
import { bearerChallenge, challengeScheme, type PresentedToken, readBearerToken } from '../protocol/token/bearer.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type VerifiedAccessToken, verifyAccessToken } from '../tokens/verify.ts'
import { checkCertificate } from './bound-certificate.ts'
import { readProof, withNonce } from './dpop.ts'

export type BearerTokens = {
  /**
   * Returns the request's access token: signed by this service, unexpired, for this resource, sent by the owner of the
   * key to which it is bound. Revocation is checked in the database separately. Undefined: the request has none.
   */
  read(request: Request): Promise<VerifiedAccessToken | Refusal | undefined>
  /** Answers a request without a token (undefined) or with a refused one. */
  refuse(request: Request, refusal: Refusal | undefined): Answer
  /**
   * Returns the same answer without reporting the refusal: status and headers, and no body. `more`: further parameters
   * of the challenge.
   */
  challenge(request: Request, refusal: Refusal | undefined, more?: readonly string[]): Answer
}

/**
 * `path`: that of the resource below the root of the host. `audiences`: the token's `aud` has one of them (RFC 9068 §4); undefined
 * if a scope decides instead. `demand`: what the authentication behind the token must be (RFC 9470). `metadataUri`: where the resource describes itself (RFC 9728). `form`: a POST may carry the
 * token in its body (RFC 6750 §2.2). `addressOf`: the address of the request as its client knows it.
 */
export function bearerTokens(
  service: Service,
  path: string,
  {
    audiences,
    metadataUri,
    demand,
    form = false,
    addressOf = () => `${baseOf(service.settings.oauth.issuer)}${path}`,
  }: {
    readonly audiences?: readonly string[]
    readonly metadataUri?: string
    readonly demand?: AuthenticationDemand
    readonly form?: boolean
    readonly addressOf?: (request: Request) => string
  },
): BearerTokens {
  const { answers, clock, keys, settings } = service
  return {
    async read(request) {
      const parameters = form && isForm(request) ? readForm(request) : []
      if (isRefusal(parameters)) return parameters
      const presented = readBearerToken(request.headers.authorization, parameters)
      if (presented === undefined || isRefusal(presented)) return presented
      const { token, parameter } = presented
      const refused = (rule: string): Refusal => refuse('access_token_invalid', parameter, { rule })
      const verified = await verifyAccessToken(token, keys, settings.oauth.issuer, clock())
      if (verified === undefined) return refused('no access token of this service, or it has expired')
      const isMeant = audiences === undefined || audiences.some((audience) => verified.audience.includes(audience))
      if (!isMeant) return refused('the audience (aud) is another one')
      const foreign = await checkSender(service, request, addressOf(request), presented, verified)
      return foreign ?? (demand && checkAuthentication(verified, demand, clock())) ?? verified
    },
    challenge,
    refuse(request, refusal) {
      const isInsufficient = refusal?.reason === 'authentication_insufficient'
      const more = isInsufficient && demand !== undefined ? challengeParameters(demand) : []
      const answer = challenge(request, refusal, more)
      return refusal === undefined ? answer : answers.recorded(request, refusal, answer)
    },
  }

  function challenge(request: Request, refusal: Refusal | undefined, more: readonly string[] = []): Answer {
    const scheme = challengeScheme(request.headers, refusal)
    const header = { 'www-authenticate': bearerChallenge(refusal, scheme, metadataUri, more) }
    if (refusal === undefined) return empty(401, header)
    // RFC 9449 §7.1: at a resource, a faulty proof is a failed authentication.
    const status = proofErrors.includes(refusal.error) ? 401 : statusOf(refusal.error)
    return withNonce(service, request, empty(status, header))
  }
}

const proofErrors: readonly string[] = ['invalid_dpop_proof', 'use_dpop_nonce'] satisfies Refusal['error'][]

/**
 * Refuses a token that is bound to a key or certificate which the sender does not prove to have, and any downgrade (RFC
 * 9449 §7.2, RFC 8705 §3).
 */
async function checkSender(
  service: Service,
  request: Request,
  address: string,
  { token, scheme, parameter }: PresentedToken,
  { confirmation }: VerifiedAccessToken,
): Promise<Refusal | undefined> {
  if (scheme === 'Bearer') {
    if (confirmation === null) return undefined
    if ('jkt' in confirmation) return refuse('access_token_bound')
    return checkCertificate(request, confirmation['x5t#S256'], parameter)
  }
  if (confirmation === null || !('jkt' in confirmation)) return refuse('access_token_unbound')
  const key = await readProof(service, request, address, token)
  if (key === undefined) return refuse('dpop_proof_missing', 'DPoP')
  if (isRefusal(key)) return key
  if (key.jkt !== confirmation.jkt) return refuse('dpop_key_mismatch', 'DPoP')
  const { id, expiresAtMs, refuse: refuseReused } = key.spend
  return (await service.storage.spentValues.spend(id, expiresAtMs)) ? undefined : refuseReused()
}
