/** The result of one read of the ring: rows, with the required keys decrypted and imported. */
import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto'
import type { StoredKey } from '../storage/port/keys.ts'
import type { RingSecret, SigningKey } from './key-ring.ts'
import { activeKey, isForSigning, isPublished, type Purpose } from './lifecycle.ts'
import { KeyRingProblem, lostMasterKeyAdvice, type MasterKey } from './master-key.ts'
import { unwrapKey } from './wrapping.ts'

export type RingState = {
  readonly rows: readonly StoredKey[]
  /** Keys that sign now or later, by `kid`. */
  readonly signing: ReadonlyMap<string, SigningKey>
  /** By id. */
  readonly secrets: ReadonlyMap<string, RingSecret>
}

export const emptyState: RingState = { rows: [], signing: new Map(), secrets: new Map() }

/**
 * Builds the state for `rows` and reuses what `previous` imported. `purposes`: those in the settings. Rejects with
 * `KeyRingProblem` if a required key cannot be decrypted.
 */
export async function loadState(
  rows: readonly StoredKey[],
  previous: RingState,
  purposes: readonly Purpose[],
  masterKey: MasterKey,
  nowMs: number,
): Promise<RingState> {
  const signing = new Map<string, SigningKey>()
  const secrets = new Map<string, RingSecret>()
  await Promise.all(
    rows.map(async (row) => {
      if (row.use === 'imported') return
      if (!isForSigning(row)) {
        if (!isPublished(row, nowMs)) return
        secrets.set(row.id, previous.secrets.get(row.id) ?? { id: row.id, bytes: await open(row, masterKey) })
      } else if (isNeeded(row, rows, purposes, nowMs)) {
        signing.set(row.id, previous.signing.get(row.id) ?? importSigningKey(row, await open(row, masterKey)))
      }
    }),
  )
  return { rows, signing, secrets }
}

/** The active key of a purpose in the settings, and its successors. Retired keys only verify. */
function isNeeded(row: StoredKey, rows: readonly StoredKey[], purposes: readonly Purpose[], nowMs: number): boolean {
  if (!purposes.some(({ use, algorithm }) => use === row.use && algorithm === row.algorithm)) return false
  const active = activeKey(rows, row, nowMs)
  if (active === undefined || !isPublished(row, nowMs)) return false
  return row.id === active.id || row.activeAtMs > active.activeAtMs
}

async function open(row: StoredKey, masterKey: MasterKey): Promise<Uint8Array> {
  const content = await unwrapKey(masterKey.bytes, row)
  if (content !== undefined) return content
  throw new KeyRingProblem(
    `The keys in the database cannot be decrypted with the master key from ${masterKey.source}. ` +
      `Set the one that encrypted them. ${lostMasterKeyAdvice}`,
  )
}

function importSigningKey(row: StoredKey, content: Uint8Array): SigningKey {
  let privateKey: KeyObject
  try {
    const key = JSON.parse(Buffer.from(content).toString('utf8')) as webcrypto.JsonWebKey
    privateKey = createPrivateKey({ key, format: 'jwk' })
  } catch (cause) {
    throw new KeyRingProblem(`The key ${row.id} in the database is not a signing key.`, { cause })
  }
  return { kid: row.id, algorithm: row.algorithm as SigningKey['algorithm'], privateKey }
}
