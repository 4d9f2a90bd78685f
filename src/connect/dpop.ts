/** DPoP at the endpoints (RFC 9449): reads the proof of a request, and keeps the nonces of answers. */
import { type Answer, withHeaders } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { Client } from '../protocol/client.ts'
import { checkProofClaims, checkProofHeader, proofRefusal, readProofField } from '../protocol/dpop.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { hashSecret } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { currentNonce, isCurrentNonce } from '../tokens/dpop-nonce.ts'
import { accessTokenHash, decodeProof, isSignedByItsKey, thumbprintOf } from '../tokens/dpop-proof.ts'
import type { Spend } from './single-use.ts'

/** The key whose possession a request proves. `spend`: what the caller's commit must use up. */
export type ProvenKey = { readonly jkt: string; readonly spend: Spend }

/**
 * Returns the key of the request's proof; undefined: it has no proof. `path`: that of the endpoint below the issuer, so
 * that neither `Host` nor a proxy has a say. `accessToken`: what the proof must be bound to at a resource.
 */
export async function readProof(
  { settings, keys, clock }: Service,
  request: Request,
  path: string,
  accessToken?: string,
): Promise<ProvenKey | Refusal | undefined> {
  const proof = readProofField(request.headers.dpop)
  if (proof === undefined || isRefusal(proof)) return proof
  const decoded = decodeProof(proof)
  if (decoded === undefined) return proofRefusal('it is not a JWT')
  const header = checkProofHeader(decoded.header)
  if (isRefusal(header)) return header
  const purpose = {
    method: request.method,
    address: `${settings.oauth.issuer}${path}`,
    accessTokenHash: accessToken === undefined ? undefined : accessTokenHash(accessToken),
  }
  const nowMs = clock()
  const claims = checkProofClaims(decoded.claims, purpose, nowMs)
  if (isRefusal(claims)) return claims
  // The signature comes last, because it costs the most.
  if (!(await isSignedByItsKey(proof, header))) return proofRefusal('the signature is not that of its key')
  const { nonce, jti, rememberUntilMs } = claims
  if (settings.oauth.dpop.nonce && (nonce === undefined || !isCurrentNonce(nonce, keys, nowMs))) {
    return refuse('dpop_nonce_required', 'DPoP')
  }
  const jkt = thumbprintOf(header.key)
  // Each key has its own values, so that no client can use up those of another.
  const id = `dpop:${hashSecret(`${jkt}.${jti}`)}`
  return { jkt, spend: { id, expiresAtMs: rememberUntilMs, refuse: () => refuse('dpop_proof_reused', 'DPoP') } }
}

/**
 * Binds an authorization request to the key that its client proves to have while pushing it (§10.1). Returns the
 * parameters with `dpop_jkt`. `dpopKey`: that of the request; null: none.
 */
export function boundTo({ jkt }: ProvenKey, parameters: Parameters, dpopKey: string | null): Parameters | Refusal {
  if (dpopKey === null) return [...parameters, ['dpop_jkt', jkt]]
  return dpopKey === jkt ? parameters : refuse('dpop_key_mismatch', 'dpop_jkt')
}

/** Whether the client may get only access tokens that are bound to a DPoP key. */
export function needsProof({ metadata }: Client): boolean {
  if (metadata.dpop_bound_access_tokens) return true
  return metadata.profile === 'fapi2' && !metadata.tls_client_certificate_bound_access_tokens
}

/** Adds the current nonce to the answer to a request that used DPoP, if the service demands nonces (§8.2). */
export function withNonce({ settings, keys, clock }: Service, request: Request, answer: Answer): Answer {
  if (!settings.oauth.dpop.nonce || request.headers.dpop === undefined) return answer
  return withHeaders(answer, { 'dpop-nonce': currentNonce(keys, clock()) })
}
