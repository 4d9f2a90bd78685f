/** The key ring. */
import type { AuditEvents } from '../../audit/entry.ts'

export type Keys = {
  /** Oldest first. */
  list(): Promise<StoredKey[]>
  /**
   * Adds each key unless the ring already has one of the same use and algorithm. Of several nodes that start on an
   * empty database one wins for each. Resolves to the ring as it then stands.
   */
  addFirst(keys: readonly StoredKey[], events?: AuditEvents): Promise<StoredKey[]>
  /**
   * Adds the successors and sets the end of those that they replace, all or nothing. False: another process has changed
   * one of the ends meanwhile, so of several that replace the same keys at once exactly one is told true.
   */
  rotate(added: readonly StoredKey[], ends: readonly KeyEnd[], events?: AuditEvents): Promise<boolean>
}

/** A row of the key ring. What state it is in follows from the times. */
export type StoredKey = {
  /** `kid` of a signing key, the id of a secret. */
  readonly id: string
  readonly use: 'sign' | 'antiforgery' | 'refresh' | 'code' | 'external' | 'device' | 'audit'
  /** `RS256`, `PS256`, `ES256`, `EdDSA`; `secret` for 32 random bytes. */
  readonly algorithm: string
  /** JSON text of the public JWK; null for a secret. */
  readonly publicJwk: string | null
  /** The private part, encrypted under the master key. */
  readonly wrapped: string
  /** From here on it is published. */
  readonly createdAtMs: number
  /** From here on it is used for what is new. */
  readonly activeAtMs: number
  /** From here on nothing can depend on it; null while no successor is known. */
  readonly expiresAtMs: number | null
}

/** The end of a key that is replaced. `fromMs` is the end that it had when that was decided. */
export type KeyEnd = { readonly id: string; readonly fromMs: number | null; readonly expiresAtMs: number }
