/** DPoP at the endpoints (RFC 9449): reads the proof of a request, and keeps the nonces of answers. */
import { type Answer, withHeaders } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { onDemand } from '../on-demand.ts'
import type { RequestingClient } from '../protocol/client/client.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { readProofField } from '../protocol/token/dpop.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { currentNonce } from '../tokens/dpop-nonce.ts'
import type { ProvenKey } from './dpop-proof.ts'

const proofs = onDemand(() => import('./dpop-proof.ts'))

/**
 * Returns the key of the request's proof; undefined: it has no proof. `address`: that of the endpoint as its clients
 * know it, so that neither `Host` nor a proxy has a say. `accessToken`: what the proof must be bound to at a resource.
 */
export async function readProof(
  service: Service,
  request: Request,
  address: string,
  accessToken?: string,
): Promise<ProvenKey | Refusal | undefined> {
  const proof = readProofField(request.headers.dpop)
  if (proof === undefined || isRefusal(proof)) return proof
  return (await proofs()).verifyProof(service, request, proof, address, accessToken)
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
export function needsProof({ metadata }: RequestingClient): boolean {
  if (metadata.dpop_bound_access_tokens) return true
  return metadata.profile === 'fapi2' && !metadata.tls_client_certificate_bound_access_tokens
}

/** Adds the current nonce to the answer to a request that used DPoP, if the service demands nonces (§8.2). */
export function withNonce({ settings, keys, clock }: Service, request: Request, answer: Answer): Answer {
  if (!settings.oauth.dpop.nonce || request.headers.dpop === undefined) return answer
  return withHeaders(answer, { 'dpop-nonce': currentNonce(keys, clock()) })
}
