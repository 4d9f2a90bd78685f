/** The algorithms that sign what clients receive. */

/** Signature algorithms that a client can register (RFC 7518 §3.1, RFC 8037; ML-DSA-65 is opt-in). */
export type ClientAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'ML-DSA-65'

/** Those that need no setting, strongest first (RFC 7518 §3.1, RFC 8037 §3.1). */
const common: readonly ClientAlgorithm[] = ['EdDSA', 'ES256', 'PS256', 'RS256']

type UncommonKey = {
  readonly type: string
  /** Libraries that refused a key set for the type, and did not ignore the one key (RFC 7517 §5), in the versions that were looked at. */
  readonly refusedBy: string
}

/** The types of the keys of each algorithm that not every library knows (RFC 8037 §2, RFC 9964 §3). */
const uncommonKeys: ReadonlyMap<ClientAlgorithm, UncommonKey> = new Map([
  ['EdDSA', { type: 'OKP', refusedBy: 'OpenIddict 6.0 (.NET) and ruby-jwt 3.2.0 without jwt-eddsa' }],
  [
    'ML-DSA-65',
    {
      type: 'AKP',
      refusedBy:
        'OpenIddict 6.0 (.NET), go-jose 4.1.4 and with it go-oidc 3, jwx before 4.2 (Go), jsonwebtoken 10.4.0 (Rust), ruby-jwt 3.2.0 ' +
        'and Authlib 1.7.2',
    },
  ],
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
  return uncommonKeys.has(algorithm)
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

/** Returns a warning for each algorithm of which some libraries refuse the key set; empty: none. */
export function uncommonKeyWarnings(algorithms: readonly ClientAlgorithm[]): string[] {
  return algorithms.flatMap((algorithm) => {
    const key = uncommonKeys.get(algorithm)
    if (key === undefined) return []
    return [
      `${algorithm} puts a key of the type ${key.type} into the key set. Libraries that do not know the type may refuse the ` +
        `whole set, so that every sign-in and API that uses them fails: ${key.refusedBy} do, for example.`,
    ]
  })
}

/** Returns the same of one algorithm as the end of a sentence. */
export function uncommonKeyNote(algorithm: ClientAlgorithm): string {
  const { type, refusedBy } = uncommonKeys.get(algorithm) ?? { type: '', refusedBy: '' }
  return `a key of the type ${type} into the key set; libraries that do not know the type refuse the whole set (${refusedBy} do, for example)`
}
