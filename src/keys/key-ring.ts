import type { KeyObject } from 'node:crypto'
import type { SigningAlgorithm } from '../settings/settings.ts'

/** A key that signs tokens now. */
export type SigningKey = {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly privateKey: KeyObject
}

export type VerificationKey = {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicKey: CryptoKey
}

/** What a secret of the ring is for. Secrets of one use are never accepted for another. */
export type SecretUse = 'antiforgery' | 'refresh' | 'code' | 'external' | 'device'

/** 32 random bytes, shared by every node through the database. */
export type RingSecret = { readonly id: string; readonly bytes: Uint8Array }

/** The service's keys as of now. Reading is synchronous and from memory; `refresh` brings in what other processes changed. */
export type KeyRing = {
  /** The active signing key for an algorithm that the settings name. */
  signingKey(algorithm: SigningAlgorithm): SigningKey
  /** The active key that signs checkpoints of the audit trail, and nothing else. It is in no key set. */
  auditKey(): SigningKey
  /** Any published signing key, by `kid`. */
  verificationKey(kid: string): VerificationKey | undefined
  /** The JWK Set document (RFC 7517 §5): public signing keys only, as JSON text. */
  keySet(): string
  /** The active secret for what is new. */
  secret(use: SecretUse): RingSecret
  /** A secret, also one that was replaced, to check what is old. */
  secretById(use: SecretUse, id: string): RingSecret | undefined
  /** Every secret of that use that is there, oldest first; after the active one those that will follow it. */
  secretsOf(use: SecretUse): readonly RingSecret[]
  /** Throws when there is no active key for something that the service uses one for, the audit trail included. */
  checkComplete(): void
  /** Reads the ring again when the last reading is older than `maxAgeMs` (default 1000). */
  refresh(maxAgeMs?: number): Promise<void>
}
