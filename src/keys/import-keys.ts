/** Puts public keys of a system of before into the key set. */
import { eventBy } from '../audit/entry.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { ImportedKey } from './imported.ts'
import { loadMasterKey } from './master-key.ts'
import { describeKeys } from './missing.ts'
import { type KeyRingContext, openKeyRing } from './ring.ts'
import { wrapKey } from './wrapping.ts'

/** How long the keys are in the key set unless the operator says otherwise. In milliseconds. */
export const importedForMs = 30 * 86_400_000

/**
 * Adds the keys until `untilMs`. Returns the rows, or the `kid` that is in use already: then nothing was added. Rejects with
 * `KeyRingProblem` or `StorageUnavailable`.
 */
export async function importKeys(
  context: KeyRingContext,
  keys: readonly ImportedKey[],
  untilMs: number,
): Promise<readonly StoredKey[] | { readonly taken: string }> {
  const { storage, settings, clock, actor = 'service' } = context
  // Opening proves the master key and completes an empty ring.
  await openKeyRing(context)
  const masterKey = await loadMasterKey(settings, false)
  const nowMs = clock()
  const rows = await Promise.all(
    keys.map(async ({ kid, algorithm, publicJwk }): Promise<StoredKey> => {
      const identity = { id: kid, use: 'imported', algorithm } as const
      const wrapped = await wrapKey(masterKey.bytes, identity, Buffer.from(publicJwk))
      const times = { createdAtMs: nowMs, activeAtMs: nowMs, expiresAtMs: untilMs }
      return { ...identity, publicJwk, wrapped, ...times, isForClients: false }
    }),
  )
  const details = { untilMs, ...describeKeys(rows) }
  if (await storage.keys.addImported(rows, [eventBy(actor, nowMs, 'keys_imported', {}, details)])) return rows
  const known = new Set((await storage.keys.list()).map(({ id }) => id))
  return { taken: keys.find(({ kid }) => known.has(kid))?.kid ?? keys[0]?.kid ?? '' }
}
