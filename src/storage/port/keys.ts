/** The key ring in storage. */
import type { AuditEvents } from '../../audit/entry.ts'

export type Keys = {
  /** Oldest first. */
  list(): Promise<StoredKey[]>
  /**
   * Adds each key unless the ring already has one of the same use and algorithm. Of several nodes that start on an
   * empty database, one wins per key. Resolves to the resulting ring.
   */
  addFirst(keys: readonly StoredKey[], events?: AuditEvents): Promise<StoredKey[]>
  /**
   * Adds the successors and sets the expiry of the keys they replace, all or nothing. Returns false if another process
   * changed one of these expiries meanwhile: of several concurrent rotations exactly one succeeds.
   */
  rotate(added: readonly StoredKey[], ends: readonly KeyEnd[], events?: AuditEvents): Promise<boolean>
}

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
    | 'audit'
  /** `RS256`, `PS256`, `ES256`, `EdDSA`; `secret` for 32 random bytes. */
  readonly algorithm: string
  /** JSON text of the public JWK; null for a secret. */
  readonly publicJwk: string | null
  /** The private part, encrypted under the master key. */
  readonly wrapped: string
  /** Published from this time on. */
  readonly createdAtMs: number
  /** Used for new values from this time on. */
  readonly activeAtMs: number
  /** Nothing depends on it from this time on; null while it has no successor. */
  readonly expiresAtMs: number | null
}

/** The expiry of a replaced key. `fromMs`: the expiry that the decision was based on. */
export type KeyEnd = { readonly id: string; readonly fromMs: number | null; readonly expiresAtMs: number }
