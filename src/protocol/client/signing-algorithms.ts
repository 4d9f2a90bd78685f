/** The algorithms that sign what clients receive. */
import type { ClientAlgorithm, ClientMetadata } from './client-metadata.ts'

/** Those that need no setting, strongest first (RFC 7518 §3.1, RFC 8037 §3.1). */
const common: readonly ClientAlgorithm[] = ['EdDSA', 'ES256', 'PS256', 'RS256']

/** The types of the keys of each algorithm that not every library knows (RFC 8037 §2, RFC 9964 §3). */
const uncommonKeyTypes: ReadonlyMap<ClientAlgorithm, string> = new Map([
  ['EdDSA', 'OKP'],
  ['ML-DSA-65', 'AKP'],
])

/** Returns the algorithms that an operator can register, strongest first. `postQuantum`: the setting `OAuth:PostQuantum`. */
export function clientAlgorithms(postQuantum: boolean): readonly ClientAlgorithm[] {
  return postQuantum ? ['ML-DSA-65', ...common] : common
}

/**
 * Whether the keys of the algorithm have a type that some libraries refuse, together with the whole key set. Such a key is
 * made for an operator alone.
 */
export function isUncommon(algorithm: ClientAlgorithm): boolean {
  return uncommonKeyTypes.has(algorithm)
}

/**
 * Returns the algorithms that a client can register for itself, and that discovery lists: those of RSA and P-256, and those
 * whose key is in the key set (`present`).
 */
export function offeredAlgorithms(
  postQuantum: boolean,
  present: readonly ClientAlgorithm[],
): readonly ClientAlgorithm[] {
  return clientAlgorithms(postQuantum).filter((algorithm) => !isUncommon(algorithm) || present.includes(algorithm))
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

/** Members with the algorithms that the service signs with for a client. */
export const signedResponseMembers = [
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
] as const satisfies readonly (keyof ClientMetadata)[]

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

/** Returns a warning for each algorithm of which some libraries refuse the key set; empty: none. */
export function uncommonKeyWarnings(algorithms: readonly ClientAlgorithm[]): string[] {
  return algorithms.flatMap((algorithm) => {
    const type = uncommonKeyTypes.get(algorithm)
    if (type === undefined) return []
    return [
      `${algorithm} puts a key of the type ${type} into the key set. Libraries that do not know the type may refuse the ` +
        'whole set, so that every sign-in and API that uses them fails: OpenIddict, jsonwebtoken and jwx among them.',
    ]
  })
}
