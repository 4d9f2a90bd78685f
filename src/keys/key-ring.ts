import type { KeyObject } from 'node:crypto'
import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import type { StoredKey } from '../storage/port/keys.ts'

/** A key that may sign tokens now. */
export type SigningKey = {
  readonly kid: string
  readonly algorithm: ClientAlgorithm
  readonly privateKey: KeyObject
}

export type VerificationKey = {
  readonly kid: string
  readonly algorithm: ClientAlgorithm
  readonly publicKey: KeyObject
}

/** Its algorithm may be one that nothing here signs with. */
export type ImportedVerificationKey = Omit<VerificationKey, 'algorithm'> & { readonly algorithm: string }

/** The use of a secret. A secret of one use is never accepted for another. */
export type SecretUse = Exclude<StoredKey['use'], 'sign' | 'audit' | 'assertion' | 'imported'>

/** Algorithms with which the service authenticates at external providers. */
export type AssertionAlgorithm = Extract<ClientAlgorithm, 'RS256' | 'PS256' | 'ES256' | 'EdDSA'>

/** 32 random bytes, shared by all nodes through the database. */
export type RingSecret = { readonly id: string; readonly bytes: Uint8Array }

/** The service's current keys. Reads are synchronous and from memory; `refresh` loads changes by other processes. */
export type KeyRing = {
  /** Returns the active signing key for an algorithm in the settings. */
  signingKey(algorithm: ClientAlgorithm): SigningKey
  /**
   * Returns the active signing key for any algorithm that a client can register. The first use of an algorithm that no
   * setting names creates its key and publishes it; several processes end up with the same one. Rejects with
   * `StorageUnavailable`.
   */
  signer(algorithm: ClientAlgorithm): SigningKey | Promise<SigningKey>
  /**
   * Returns the active key with which the service authenticates at external providers; it signs nothing else and is not in the
   * key set of tokens. The first use of an algorithm creates its key. Rejects with `StorageUnavailable`.
   */
  assertionSigner(algorithm: AssertionAlgorithm): SigningKey | Promise<SigningKey>
  /** Returns the JWK Set document of those keys as JSON text. */
  assertionKeySet(): string
  /** Returns the active key for checkpoints of the audit trail. It signs nothing else and is not in the key set. */
  auditKey(): SigningKey
  /** Reads the keys whose checkpoints of the audit trail count: those that were made with this master key. */
  provenAuditKeys(): Promise<readonly StoredKey[]>
  /** Returns a published signing key by `kid`; undefined: unknown or no longer published. */
  verificationKey(kid: string): VerificationKey | undefined
  /**
   * Returns a signing key by `kid` for as long as its public half is kept, to verify what has no end, such as an id token
   * that comes back as a hint; undefined: unknown. Rejects with `StorageUnavailable`.
   */
  issuedKey(kid: string): Promise<VerificationKey | undefined>
  /**
   * Returns a key of a former system that is still in the key set, to verify an id token that comes back as a hint, and nothing else;
   * undefined: unknown or expired.
   */
  importedKey(kid: string): ImportedVerificationKey | undefined
  /** Returns the algorithms that have a key which signs now and whose end is not known. */
  algorithms(): readonly ClientAlgorithm[]
  /** Returns the JWK Set document (RFC 7517 §5) as JSON text: public signing keys only, imported ones included. */
  keySet(): string
  /** Returns the active secret, for new values. */
  secret(use: SecretUse): RingSecret
  /** Returns a secret by id, replaced ones included, to check existing values. */
  secretById(use: SecretUse, id: string): RingSecret | undefined
  /** Returns all secrets of a use, oldest first; successors follow the active one. */
  secretsOf(use: SecretUse): readonly RingSecret[]
  /** Throws if any purpose of the service, the audit trail included, lacks an active key. */
  checkComplete(): void
  /** Reads the ring again if the last read is older than `maxAgeMs` (default 1000). */
  refresh(maxAgeMs?: number): Promise<void>
}
