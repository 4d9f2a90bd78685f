/**
 * Opens the key ring: creates missing keys and caches the content of the database.
 *
 * Belongs here: signing keys and secrets: creation, rotation, wrapping under the master key, and the ring in memory.
 * Belongs elsewhere: signing tokens (`tokens/`), and sealing or hashing values (`secrets/`).
 */
import { createPublicKey, randomBytes } from 'node:crypto'
import { type AuditDetails, eventBy } from '../audit/entry.ts'
import type { Settings, SigningAlgorithm } from '../settings/settings.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import { beginFounding, endFounding, hasHistory, lostDatabase } from './founding.ts'
import type { KeyRing, RingSecret, SecretUse, SigningKey, VerificationKey } from './key-ring.ts'
import { activeKey, byActivation, isPublished, type Purpose, purposesOf, secretUses } from './lifecycle.ts'
import { loadMasterKey, type MasterKey } from './master-key.ts'
import { emptyState, loadState, type RingState } from './ring-state.ts'

export type KeyRingContext = {
  readonly storage: Pick<Storage, 'keys'>
  readonly settings: Settings
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure; default `randomBytes`. */
  readonly random?: (bytes: number) => Uint8Array
  /** The actor of changes to the keys in the audit trail; default `service`. */
  readonly actor?: string
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
  const load = (stored: readonly StoredKey[], previous: RingState) =>
    loadState(stored, previous, purposes, masterKey, clock())
  // Decrypts the existing keys first, so that no new keys are created under a different master key.
  const found = await load(rows, emptyState)
  const complete = await addMissing(rows, purposes, masterKey, { storage, clock, random, actor })
  if (!isKnown) endFounding(settings)
  return keyRing(await load(complete, found), purposes, load, storage, clock)
}

/**
 * Returns the ring with a key for every purpose. A key with an expiry does not count, because nothing new may depend on
 * it.
 */
async function addMissing(
  rows: readonly StoredKey[],
  purposes: readonly Purpose[],
  { bytes: masterKey }: MasterKey,
  { storage, clock, random, actor }: Required<Pick<KeyRingContext, 'storage' | 'clock' | 'random' | 'actor'>>,
): Promise<readonly StoredKey[]> {
  const missingIn = (stored: readonly StoredKey[]) =>
    purposes.filter(
      ({ use, algorithm }) =>
        !stored.some((key) => key.use === use && key.algorithm === algorithm && key.expiresAtMs === null),
    )
  const missing = missingIn(rows)
  if (missing.length === 0) return rows
  const nowMs = clock()
  // A first key has no predecessor that could still sign, so it is active at once.
  const { generateKeys } = await import('./generate.ts')
  const made = await generateKeys(missing, { masterKey, random, createdAtMs: nowMs, activeAtMs: nowMs })
  const ring = await storage.keys.addFirst(made, [eventBy(actor, nowMs, 'keys_created', {}, describeKeys(made))])
  // An algorithm that returns to the settings still has its old keys, so its new key needs the usual lead time.
  const again = missingIn(ring)
  if (again.length === 0) return ring
  const missed = made.filter((key) =>
    again.some(({ use, algorithm }) => use === key.use && algorithm === key.algorithm),
  )
  await storage.keys.rotate(missed, [], [eventBy(actor, nowMs, 'keys_created', {}, describeKeys(missed))])
  return storage.keys.list()
}

/** For the audit trail. */
export function describeKeys(keys: readonly StoredKey[]): AuditDetails {
  return { keys: keys.map(({ use, algorithm, id }) => `${use} ${algorithm} ${id}`) }
}

function keyRing(
  first: RingState,
  purposes: readonly Purpose[],
  load: (rows: readonly StoredKey[], previous: RingState) => Promise<RingState>,
  storage: Pick<Storage, 'keys'>,
  clock: () => number,
): KeyRing {
  let state = first
  let readAtMs = clock()
  let reading: Promise<void> | undefined
  let document: { readonly text: string; readonly of: RingState; readonly untilMs: number } | undefined
  const publicKeys = new Map<string, VerificationKey>()

  async function read(): Promise<void> {
    const startedAtMs = clock()
    state = await load(await storage.keys.list(), state)
    readAtMs = startedAtMs
  }

  function signingKeyFor(purpose: Purpose): SigningKey {
    // Considers only imported keys: after the clock was set back slightly, the choice must not fall on a dropped key.
    const usable = state.rows.filter(({ id }) => state.signing.has(id))
    const key = state.signing.get(activeKey(usable, purpose, clock())?.id ?? '')
    if (key === undefined) throw new Error(`the settings name no ${purpose.algorithm} key`)
    return key
  }

  function secretFor(use: SecretUse): RingSecret {
    const secret = state.secrets.get(activeKey(state.rows, { use, algorithm: 'secret' }, clock())?.id ?? '')
    if (secret === undefined) throw new Error(`the key ring has no secret for ${use}`)
    return secret
  }

  return {
    signingKey: (algorithm) => signingKeyFor({ use: 'sign', algorithm }),
    auditKey: () => signingKeyFor({ use: 'audit', algorithm: 'ES256' }),
    verificationKey(kid) {
      const row = state.rows.find((key) => key.id === kid && key.use === 'sign')
      if (row === undefined || !isPublished(row, clock())) return undefined
      const known = publicKeys.get(kid) ?? importPublicKey(row)
      publicKeys.set(kid, known)
      return known
    },
    keySet() {
      const nowMs = clock()
      if (document?.of !== state || nowMs >= document.untilMs) document = keySetDocument(state, nowMs)
      return document.text
    },
    secret: secretFor,
    secretById(use, id) {
      const row = state.rows.find((key) => key.id === id && key.use === use)
      return row !== undefined && isPublished(row, clock()) ? state.secrets.get(id) : undefined
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
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    },
  }
}

function keySetDocument(state: RingState, nowMs: number) {
  const published = state.rows.filter((key) => key.use === 'sign' && isPublished(key, nowMs))
  const keys = published.map((key) => JSON.parse(key.publicJwk ?? '{}'))
  const untilMs = Math.min(...published.map((key) => key.expiresAtMs ?? Number.POSITIVE_INFINITY))
  return { text: JSON.stringify({ keys }), of: state, untilMs }
}

const webCryptoNames = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
} as const satisfies Record<SigningAlgorithm, object>

/** Lazy, because `createPublicKey` is synchronous, unlike the import of Web Crypto. */
function importPublicKey(row: StoredKey): VerificationKey {
  const algorithm = row.algorithm as SigningAlgorithm
  const key = createPublicKey({ key: JSON.parse(row.publicJwk ?? '{}'), format: 'jwk' })
  return { kid: row.id, algorithm, publicKey: key.toCryptoKey(webCryptoNames[algorithm], true, ['verify']) }
}
