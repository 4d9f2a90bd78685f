/**
 * Opens the key ring: creates missing keys and caches the content of the database.
 *
 * Belongs here: signing keys and secrets: creation, rotation, wrapping under the master key, and the ring in memory.
 * Belongs elsewhere: signing tokens (`tokens/`), and sealing or hashing values (`secrets/`).
 */

import { createPublicKey, randomBytes } from 'node:crypto'
import type { AuditDetails, AuditEvent } from '../audit/entry.ts'
import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import type { Settings } from '../settings/settings.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import { beginFounding, endFounding, hasHistory, lostDatabase } from './founding.ts'
import type { KeyRing, RingSecret, SecretUse, SigningKey, VerificationKey } from './key-ring.ts'
import {
  assertionPurposes,
  byActivation,
  isForClients,
  isPublished,
  type Purpose,
  purposesOf,
  secretUses,
  signingPurposesOf,
} from './lifecycle.ts'
import { loadMasterKey } from './master-key.ts'
import { addMissing } from './missing.ts'
import { emptyState, loadState, type RingState } from './ring-state.ts'
import { type SteadyRing, steadyRing } from './steady.ts'

export type KeyRingContext = {
  readonly storage: Pick<Storage, 'keys'>
  readonly settings: Settings
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure; default `randomBytes`. */
  readonly random?: (bytes: number) => Uint8Array
  /** The actor of changes to the keys in the audit trail; default `service`. */
  readonly actor?: string
  /** Returns the event of a rotation; default: that of the actor. */
  readonly eventOf?: (kind: 'keys_rotated', details: AuditDetails) => AuditEvent
  /** Receives sentences for the operator, without secrets. */
  readonly warn?: (message: string) => void
}

/**
 * Opens the ring of this database. A first start creates the keys; nodes that start together end up with the same ones.
 * Rejects with `KeyRingProblem` (a wrong or missing master key, or one whose database was lost) or
 * `StorageUnavailable`.
 */
export async function openKeyRing(context: KeyRingContext): Promise<KeyRing> {
  const { storage, settings, clock, random = randomBytes, actor = 'service', warn } = context
  const isKnown = hasHistory(settings)
  const rows = await storage.keys.list()
  if (rows.length === 0 && isKnown) throw lostDatabase(settings, 'has no keys')
  if (rows.length === 0) beginFounding(settings)
  const masterKey = await loadMasterKey(settings, rows.length === 0, random)
  for (const warning of masterKey.warnings) warn?.(warning)
  const purposes = purposesOf(settings)
  // Keys of further algorithms exist only if a client, or an external provider, asks for them.
  const usable = [...purposes, ...signingPurposesOf(settings), ...assertionPurposes()]
  const load = (stored: readonly StoredKey[], previous: RingState) =>
    loadState(stored, previous, usable, masterKey, clock())
  // Decrypts the existing keys first, so that no new keys are created under a different master key.
  const found = await load(rows, emptyState)
  const isOnlyForClients = isForClients(settings)
  const making = { storage, masterKey: masterKey.bytes, clock, random, actor }
  const add = (stored: readonly StoredKey[], missing: readonly Purpose[]) =>
    addMissing(stored, missing, { ...making, isForClients: missing.every(isOnlyForClients) })
  const complete = await addMissing(rows, purposes, { ...making, isForClients: false })
  if (!isKnown) endFounding(settings)
  const taken = complete.filter((key) => key.isForClients && !isOnlyForClients(key)).map(({ id }) => id)
  await storage.keys.useForSettings(taken)
  const proven = async () => {
    const { provenAuditKeys } = await import('./audit-keys.ts')
    return provenAuditKeys(await storage.keys.list(), masterKey.bytes, [])
  }
  return keyRing(await load(complete, found), { purposes, usable, load, add, proven, storage, clock })
}

type RingParts = {
  /** Those of the settings. */
  readonly purposes: readonly Purpose[]
  /** Those and what clients can register. */
  readonly usable: readonly Purpose[]
  readonly load: (rows: readonly StoredKey[], previous: RingState) => Promise<RingState>
  /** Resolves to the ring with a key for each of `missing`. */
  readonly add: (rows: readonly StoredKey[], missing: readonly Purpose[]) => Promise<readonly StoredKey[]>
  readonly proven: KeyRing['provenAuditKeys']
  readonly storage: Pick<Storage, 'keys'>
  readonly clock: () => number
}

function keyRing(first: RingState, { purposes, usable, load, add, proven, storage, clock }: RingParts): KeyRing {
  let state = first
  let readAtMs = clock()
  let reading: Promise<void> | undefined
  let document: { readonly text: string; readonly of: SteadyRing } | undefined
  let choices = steadyRing(first, readAtMs)
  const publicKeys = new Map<string, VerificationKey>()
  const beingMade = new Map<string, Promise<SigningKey>>()

  /** One at a time, so that a reading never replaces a later one: a key that was just made would be gone for a while. */
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work)
    turn = next.catch(() => {})
    return next
  }

  async function read(): Promise<void> {
    const startedAtMs = clock()
    state = await load(await storage.keys.list(), state)
    readAtMs = startedAtMs
  }

  function steady(): SteadyRing {
    const nowMs = clock()
    if (!choices.isFor(state, nowMs)) choices = steadyRing(state, nowMs)
    return choices
  }

  function signingKeyFor(purpose: Purpose): SigningKey {
    const key = steady().signingKey(purpose)
    if (key === undefined) throw new Error(`the settings name no ${purpose.algorithm} key`)
    return key
  }

  async function makeSigningKey(purpose: Purpose): Promise<SigningKey> {
    if (!usable.some(({ use, algorithm }) => use === purpose.use && algorithm === purpose.algorithm)) {
      throw new Error(`the settings do not allow ${purpose.algorithm}`)
    }
    // Another process may have made it.
    state = await load(await add(await storage.keys.list(), [purpose]), state)
    return signingKeyFor(purpose)
  }

  function signerFor(purpose: Purpose): SigningKey | Promise<SigningKey> {
    const known = steady().signingKey(purpose)
    if (known !== undefined) return known
    const name = `${purpose.use} ${purpose.algorithm}`
    const making = beingMade.get(name) ?? inTurn(() => makeSigningKey(purpose))
    beingMade.set(name, making)
    return making.finally(() => beingMade.delete(name))
  }

  function secretFor(use: SecretUse): RingSecret {
    const secret = steady().secret(use)
    if (secret === undefined) throw new Error(`the key ring has no secret for ${use}`)
    return secret
  }

  return {
    signingKey: (algorithm) => signingKeyFor({ use: 'sign', algorithm }),
    signer: (algorithm) => signerFor({ use: 'sign', algorithm }),
    assertionSigner: (algorithm) => signerFor({ use: 'assertion', algorithm }),
    assertionKeySet: () => keySetDocument(steady(), ['assertion']),
    auditKey: () => signingKeyFor({ use: 'audit', algorithm: 'ES256' }),
    provenAuditKeys: proven,
    verificationKey(kid) {
      const row = steady().published.get(kid)
      if (row?.use !== 'sign') return undefined
      const known = publicKeys.get(kid) ?? importPublicKey(row)
      publicKeys.set(kid, known)
      return known
    },
    async issuedKey(kid) {
      const known = publicKeys.get(kid)
      if (known !== undefined) return known
      const row =
        state.rows.find(({ id, use }) => id === kid && use === 'sign') ?? (await storage.keys.findRetired(kid))
      if (row === undefined) return undefined
      const key = importPublicKey(row)
      publicKeys.set(kid, key)
      return key
    },
    importedKey(kid) {
      const row = steady().published.get(kid)
      return row?.use === 'imported' ? importPublicKey(row) : undefined
    },
    algorithms: () => steady().algorithms,
    keySet() {
      const of = steady()
      if (document?.of !== of) document = { text: keySetDocument(of, ['sign', 'imported']), of }
      return document.text
    },
    secret: secretFor,
    secretById(use, id) {
      return steady().published.get(id)?.use === use ? state.secrets.get(id) : undefined
    },
    secretsOf(use) {
      const nowMs = clock()
      const rows = state.rows.filter((key) => key.use === use && isPublished(key, nowMs)).sort(byActivation)
      return rows.flatMap(({ id }) => state.secrets.get(id) ?? [])
    },
    checkComplete() {
      for (const use of secretUses) secretFor(use)
      for (const purpose of purposes) if (purpose.algorithm !== 'secret') signingKeyFor(purpose)
    },
    async refresh(maxAgeMs = 1000) {
      // A clock that was set back must not block the refresh.
      const ageMs = clock() - readAtMs
      if (ageMs >= 0 && ageMs <= maxAgeMs) return
      reading ??= inTurn(read).finally(() => {
        reading = undefined
      })
      await reading
    },
  }
}

function keySetDocument({ published }: SteadyRing, wanted: readonly StoredKey['use'][]): string {
  const rows = [...published.values()].filter(({ use }) => wanted.includes(use))
  return JSON.stringify({ keys: rows.map((key) => JSON.parse(key.publicJwk ?? '{}')) })
}

function importPublicKey(row: Pick<StoredKey, 'id' | 'algorithm' | 'publicJwk'>): VerificationKey {
  const publicKey = createPublicKey({ key: JSON.parse(row.publicJwk ?? '{}'), format: 'jwk' })
  return { kid: row.id, algorithm: row.algorithm as ClientAlgorithm, publicKey }
}
