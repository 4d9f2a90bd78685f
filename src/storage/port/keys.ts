/** A row of the key ring. Its state follows from its times. */
export type StoredKey = {
  /** `kid` of a signing key, or the id of a secret. */
  readonly id: string
  readonly use:
    | 'sign'
    | 'antiforgery'
    | 'refresh'
    | 'code'
    | 'access'
    | 'external'
    | 'device'
    | 'mail'
    | 'factor'
    | 'pairwise'
    | 'audit'
    | 'assertion'
    | 'imported'
  /** `RS256`, `PS256`, `ES256`, `EdDSA`; `secret` for 32 random bytes; of an imported key any of its type. */
  readonly algorithm: string
  /** JSON text of the public JWK; null for a secret. */
  readonly publicJwk: string | null
  /** The private part, encrypted under the master key. An imported key has none, and its public part in its place: versions that do not know the use decrypt it. */
  readonly wrapped: string
  /** Published from this time on. */
  readonly createdAtMs: number
  /** Used for new values from this time on. */
  readonly activeAtMs: number
  /** Nothing depends on it from this time on; null while it has no successor. */
  readonly expiresAtMs: number | null
  /** Whether clients alone asked for the key: the settings never named its algorithm while it was there. */
  readonly isForClients: boolean
}

/**
 * How long the public half of an expired signing key is kept: as long as browsers keep the cookie of an application, whose
 * id token may come back as `id_token_hint`. In milliseconds.
 */
export const publicHalfKeptMs = 400 * 86_400_000

/** The expiry of a replaced key. `fromMs`: the expiry that the decision was based on. */
export type KeyEnd = { readonly id: string; readonly fromMs: number | null; readonly expiresAtMs: number }
