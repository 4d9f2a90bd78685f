/** Replaces every key of the ring by a successor, without breaking anything that is still valid. */
import { randomBytes } from 'node:crypto'
import type { Settings } from '../settings.ts'
import type { StoredKey } from '../storage/port.ts'
import { generateKeys } from './generate.ts'
import { dependenceMs, isPublished, propagationMs, purposesOf } from './lifecycle.ts'
import { loadMasterKey } from './master-key.ts'
import { type KeyRingContext, openKeyRing } from './ring.ts'
import { unwrapKey } from './wrapping.ts'

type End = { readonly id: string; readonly expiresAtMs: number }

/**
 * Publishes a successor for every key; it is used `propagationMs` later. What it replaces stays until nothing can depend
 * on it any more. Resolves to the successors. Rejects with `KeyRingProblem` or `StorageUnavailable`.
 */
export async function rotateKeys(context: KeyRingContext): Promise<StoredKey[]> {
  // Opening proves the master key, and completes a ring that is still empty.
  await openKeyRing(context)
  const { storage, settings, clock, random = randomBytes } = context
  const rows = await storage.keys.list()
  const masterKey = await loadMasterKey(settings, false, random)
  const nowMs = clock()
  const activeAtMs = nowMs + propagationMs
  const added = await generateKeys(purposesOf(settings), {
    masterKey: masterKey.bytes,
    random,
    createdAtMs: nowMs,
    activeAtMs,
  })
  await storage.keys.rotate(added, endsOf(rows, settings, activeAtMs))
  return added
}

/**
 * The way out when the master key is gone: keys that cannot be decrypted are given up, and new ones are used at once.
 * Tokens that were signed stay verifiable; refresh tokens, codes and open forms that hang on a lost secret end.
 */
export async function replaceLostKeys(context: KeyRingContext): Promise<StoredKey[]> {
  const { storage, settings, clock, random = randomBytes, warn } = context
  const rows = await storage.keys.list()
  const masterKey = await loadMasterKey(settings, true, random)
  for (const warning of masterKey.warnings) warn?.(warning)
  const nowMs = clock()
  const added = await generateKeys(purposesOf(settings), {
    masterKey: masterKey.bytes,
    random,
    createdAtMs: nowMs,
    activeAtMs: nowMs,
  })
  const lost: StoredKey[] = []
  for (const row of rows) {
    if (isPublished(row, nowMs) && (await unwrapKey(masterKey.bytes, row)) === undefined) lost.push(row)
  }
  const kept = rows.filter((row) => !lost.includes(row))
  const lostEnds = lost.map((row) => ({ id: row.id, expiresAtMs: endOfLost(row, settings, nowMs) }))
  await storage.keys.rotate(added, [...endsOf(kept, settings, nowMs), ...lostEnds])
  return added
}

/** Ends for the keys that had none yet, counted from when their successors take over. */
function endsOf(rows: readonly StoredKey[], settings: Settings, replacedAtMs: number): End[] {
  return rows.flatMap((row) => {
    const afterMs = dependenceMs(row.use, settings)
    return row.expiresAtMs !== null || afterMs === null ? [] : [{ id: row.id, expiresAtMs: replacedAtMs + afterMs }]
  })
}

/** The public part of a lost signing key still verifies what it signed; one that never signed is of no use. */
function endOfLost(row: StoredKey, settings: Settings, nowMs: number): number {
  if (row.use !== 'sign' || row.activeAtMs > nowMs) return nowMs
  return row.expiresAtMs ?? nowMs + (dependenceMs(row.use, settings) ?? 0)
}
