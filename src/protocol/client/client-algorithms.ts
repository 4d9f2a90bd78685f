/** The algorithms that the service signs with for a client, and those whose keys it keeps for it. */
import { type ClientMetadata, metadataTable } from './member-table.ts'
import { type ClientAlgorithm, clientAlgorithms, isUncommon } from './signing-algorithms.ts'

/** Members with the algorithms that the service signs with for a client. */
export const signedResponseMembers = Object.keys(metadataTable).filter((member) =>
  member.endsWith('_signed_response_alg'),
) as readonly Extract<keyof ClientMetadata, `${string}_signed_response_alg`>[]

/** Returns the algorithms that the service signs with for a client that registered `metadata`, without repetition. */
export function algorithmsOf(metadata: ClientMetadata, postQuantum: boolean): ClientAlgorithm[] {
  const registered = new Set(signedResponseMembers.map((member) => metadata[member]))
  return clientAlgorithms(postQuantum).filter((algorithm) => registered.has(algorithm))
}

/**
 * Returns the algorithms whose keys are made and kept for the client: of those with an uncommon key type, the ones that an
 * operator registered.
 */
export function algorithmsKeptFor(metadata: ClientMetadata, postQuantum: boolean): ClientAlgorithm[] {
  return algorithmsOf(metadata, postQuantum).filter((algorithm) => isKeptFor(metadata, algorithm))
}

export function isKeptFor(
  { registration, granted_signing_algs }: Pick<ClientMetadata, 'registration' | 'granted_signing_algs'>,
  algorithm: ClientAlgorithm,
): boolean {
  return registration === 'operator' || !isUncommon(algorithm) || granted_signing_algs.includes(algorithm)
}

/** Returns the client, as an operator changed it, with the uncommon algorithms that the operator gave it. */
export function withGrantedAlgorithms(before: ClientMetadata, after: ClientMetadata): ClientMetadata {
  if (after.registration === 'operator') return after
  const kept = new Set(before.granted_signing_algs)
  const unchanged = new Set(algorithmsOf(before, true))
  const granted = algorithmsOf(after, true).filter(
    (algorithm) => isUncommon(algorithm) && (kept.has(algorithm) || !unchanged.has(algorithm)),
  )
  return granted.join() === after.granted_signing_algs.join() ? after : { ...after, granted_signing_algs: granted }
}
