/** Selects the algorithm of what the service signs for a client. */
import type { KeyRing } from '../keys/key-ring.ts'
import { isKeptFor } from '../protocol/client/client-algorithms.ts'
import type { ClientAlgorithm, ClientMetadata } from '../protocol/client/client-metadata.ts'
import { algorithmOr } from '../protocol/client/signing-algorithms.ts'

/**
 * Returns the registered algorithm, or else the usual one. One with an uncommon key type that no operator gave the client
 * counts while its key is there: signing for the client never makes it.
 */
export function algorithmFor(
  keys: Pick<KeyRing, 'algorithms'>,
  metadata: ClientMetadata,
  registered: ClientAlgorithm | null,
  usual: ClientAlgorithm,
  postQuantum: boolean,
): ClientAlgorithm {
  const algorithm = algorithmOr(registered, usual, postQuantum)
  return isKeptFor(metadata, algorithm) || keys.algorithms().includes(algorithm) ? algorithm : usual
}
