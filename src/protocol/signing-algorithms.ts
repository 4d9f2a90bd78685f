/** The algorithms that sign what clients receive. */
import type { ClientAlgorithm, ClientMetadata } from './client-metadata.ts'

/** Those that need no setting (RFC 7518 §3.1, RFC 8037 §3.1). */
const common: readonly ClientAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** Returns the algorithms that a client can register. `postQuantum`: the setting `OAuth:PostQuantum`. */
export function clientAlgorithms(postQuantum: boolean): readonly ClientAlgorithm[] {
  return postQuantum ? [...common, 'ML-DSA-65'] : common
}

/**
 * Returns the algorithm to sign with. An algorithm that was registered while the settings allowed it does not count.
 */
export function algorithmOr(
  registered: ClientAlgorithm | null,
  usual: ClientAlgorithm,
  postQuantum: boolean,
): ClientAlgorithm {
  return registered !== null && clientAlgorithms(postQuantum).includes(registered) ? registered : usual
}

/** Returns the algorithms that the service signs with for a client that registered `metadata`, without repetition. */
export function algorithmsOf(metadata: ClientMetadata, postQuantum: boolean): ClientAlgorithm[] {
  const registered = new Set([
    metadata.id_token_signed_response_alg,
    metadata.userinfo_signed_response_alg,
    metadata.introspection_signed_response_alg,
    metadata.authorization_signed_response_alg,
  ])
  return clientAlgorithms(postQuantum).filter((algorithm) => registered.has(algorithm))
}
