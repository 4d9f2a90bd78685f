/** Verifies DPoP proofs of requests (RFC 9449 §4.3). */
import type { Request } from '../http/request.ts'
import { addressesOf } from '../protocol/discovery/endpoint-aliases.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { checkProofClaims, checkProofHeader, proofRefusal } from '../protocol/token/dpop.ts'
import { isRefusal } from '../refusal.ts'
import { hashSecret } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { isCurrentNonce } from '../tokens/dpop-nonce.ts'
import { accessTokenHash, decodeProof, isSignedByItsKey, thumbprintOf } from '../tokens/dpop-proof.ts'
import type { Spend } from './single-use.ts'

/** The key whose possession a request proves. `spend`: what the caller's commit must use up. */
export type ProvenKey = { readonly jkt: string; readonly spend: Spend }

/** Returns the key of a proof. For the parameters see `readProof`. */
export async function verifyProof(
  { settings, keys, clock }: Service,
  request: Request,
  proof: string,
  address: string,
  accessToken: string | undefined,
): Promise<ProvenKey | Refusal> {
  const decoded = decodeProof(proof)
  if (decoded === undefined) return proofRefusal('it is not a JWT')
  const header = checkProofHeader(decoded.header)
  if (isRefusal(header)) return header
  const purpose = {
    method: request.method,
    addresses: addressesOf(address, settings.oauth),
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
