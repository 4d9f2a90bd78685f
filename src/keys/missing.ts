/** Creates the keys that a ring lacks. Nodes that do so at the same time end up with the same ones. */
import { type AuditDetails, eventBy } from '../audit/entry.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Purpose } from './lifecycle.ts'

export type MissingKeysContext = {
  readonly storage: Pick<Storage, 'keys'>
  readonly masterKey: Uint8Array
  /** In epoch milliseconds. */
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly actor: string
  /** Whether clients alone ask for the keys. */
  readonly isForClients: boolean
}

/** Attempts when other processes change the ring at the same time. */
const attempts = 3

/**
 * Returns the ring with a key for each of `purposes`. A key with an expiry does not count, because nothing new may
 * depend on it. `rows`: the ring as read before.
 */
export async function addMissing(
  rows: readonly StoredKey[],
  purposes: readonly Purpose[],
  { storage, masterKey, clock, random, actor, isForClients }: MissingKeysContext,
): Promise<readonly StoredKey[]> {
  const missing = missingIn(rows, purposes)
  if (missing.length === 0) return rows
  const nowMs = clock()
  // A first key has no predecessor that could still sign, so it is active at once.
  const { generateKeys } = await import('./generate.ts')
  const making = { masterKey, random, createdAtMs: nowMs, activeAtMs: nowMs, isForClients: () => isForClients }
  const made = await generateKeys(missing, making)
  let ring = await storage.keys.addFirst(made, [eventBy(actor, nowMs, 'keys_created', {}, describeKeys(made))])
  // An algorithm that was given up may still have old keys, which are no reason to be without a new one.
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const again = missingIn(ring, purposes)
    if (again.length === 0) break
    const added = made.filter((key) => again.some((purpose) => isFor(key, purpose)))
    await storage.keys.rotate(added, claimsOf(ring, again), [
      eventBy(actor, nowMs, 'keys_created', {}, describeKeys(added)),
    ])
    ring = await storage.keys.list()
  }
  return ring
}

const isFor = (key: StoredKey, { use, algorithm }: Purpose): boolean => key.use === use && key.algorithm === algorithm

function missingIn(rows: readonly StoredKey[], purposes: readonly Purpose[]): Purpose[] {
  return purposes.filter((purpose) => !rows.some((key) => isFor(key, purpose) && key.expiresAtMs === null))
}

/**
 * Returns changes of expiries that only one of several processes can make: of those that add a key to the same old
 * ones, one succeeds. A millisecond more changes nothing else.
 */
function claimsOf(rows: readonly StoredKey[], purposes: readonly Purpose[]) {
  return purposes.flatMap((purpose) => {
    const last = rows.findLast((key) => isFor(key, purpose))
    const fromMs = last?.expiresAtMs ?? null
    return last === undefined || fromMs === null ? [] : [{ id: last.id, fromMs, expiresAtMs: fromMs + 1 }]
  })
}

/** For the audit trail. */
export function describeKeys(keys: readonly StoredKey[]): AuditDetails {
  return { keys: namesOf(keys) }
}

/** For the audit trail. */
export function namesOf(keys: readonly StoredKey[]): readonly string[] {
  return keys.map(({ use, algorithm, id }) => `${use} ${algorithm} ${id}`)
}
