/** Rotates the keys of the ring without invalidating anything that is still valid. */
import { randomBytes } from 'node:crypto'
import { eventBy } from '../audit/entry.ts'
import type { Settings } from '../settings/settings.ts'
import type { KeyEnd, StoredKey } from '../storage/port/keys.ts'
import { generateKeys } from './generate.ts'
import {
  dependenceMs,
  endsToMoveOn,
  isForClients,
  isPublished,
  isRotationDue,
  propagationMs,
  purposesIn,
  renewedIn,
  scheduledLeadMs,
} from './lifecycle.ts'
import { KeyRingProblem, loadMasterKey, type MasterKey } from './master-key.ts'
import { describeKeys, namesOf } from './missing.ts'
import { openKeyRing } from './ring.ts'
import { emptyState, loadState } from './ring-state.ts'
import { endsOfUnasked, endUncommon, type UnaskedContext, unaskedKeys } from './unasked.ts'
import { unwrapKey } from './wrapping.ts'

/** Attempts when another process rotates at the same time. */
const attempts = 3

/**
 * Publishes a successor for every key, used from `aheadMs` later on; default: `propagationMs`. Replaced keys stay until nothing can
 * depend on them. Resolves to the successors. Rejects with `KeyRingProblem` or `StorageUnavailable`.
 */
export async function rotateKeys(context: UnaskedContext, aheadMs = propagationMs): Promise<StoredKey[]> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // Opening proves the master key and completes an empty ring.
    await openKeyRing(context)
    const added = await rotateOnce(context, await context.storage.keys.list(), aheadMs)
    if (added !== undefined) return added
  }
  throw new KeyRingProblem('Other processes are rotating the keys at the same time. See: latchkey keys list')
}

/**
 * Performs the scheduled rotation (`Keys:RotateEvery`). Any process may call it at any time; when it is due, exactly
 * one performs it and gets the successors.
 */
export async function rotateWhenDue(context: UnaskedContext): Promise<StoredKey[] | undefined> {
  const { storage, settings, clock } = context
  const rows = await storage.keys.list()
  const late = endsToMoveOn(rows, settings, clock())
  // Losing the race is harmless: the other process did the same.
  if (late.length > 0) await storage.keys.rotate([], late)
  await endUncommon(context)
  if (!isRotationDue(rows, settings, clock())) return undefined
  await openKeyRing(context)
  // Conditional on the rows that were read: a process that loses the race changes nothing.
  return rotateOnce(context, rows, scheduledLeadMs(settings))
}

/** Returns undefined if another process replaced keys of `rows` meanwhile; nothing was changed. */
async function rotateOnce(
  { storage, settings, clock, random = randomBytes, actor = 'service', eventOf }: UnaskedContext,
  rows: readonly StoredKey[],
  leadMs: number,
): Promise<StoredKey[] | undefined> {
  const masterKey = await loadMasterKey(settings, false, random)
  const nowMs = clock()
  const activeAtMs = nowMs + leadMs
  const unasked = await unaskedKeys({ storage, settings }, rows, nowMs)
  const kept = rows.filter((row) => !unasked.includes(row))
  const making = {
    masterKey: masterKey.bytes,
    random,
    createdAtMs: nowMs,
    activeAtMs,
    isForClients: isForClients(settings),
  }
  const added = await generateKeys(renewedIn(kept, settings), making)
  const ended = unasked.length === 0 ? {} : { ended: namesOf(unasked) }
  const details = { activeAtMs, ...describeKeys(added), ...ended }
  const event = eventOf?.('keys_rotated', details) ?? eventBy(actor, nowMs, 'keys_rotated', {}, details)
  const ends = [...endsOf(kept, settings, activeAtMs), ...endsOfUnasked(unasked, settings, nowMs)]
  const isRotated = await storage.keys.rotate(added, ends, [event])
  return isRotated ? added : undefined
}

/**
 * Recovers from a lost master key: drops the keys that cannot be decrypted and uses new ones at once. Signed tokens
 * stay verifiable. Refresh tokens, codes and open forms that depend on a lost secret become invalid. Rejects with
 * `KeyRingProblem` while the master key decrypts every required key.
 */
export async function replaceLostKeys(context: UnaskedContext): Promise<StoredKey[]> {
  const { storage, settings, clock, random = randomBytes, actor = 'service', warn } = context
  const rows = await storage.keys.list()
  const masterKey = await loadMasterKey(settings, true, random)
  for (const warning of masterKey.warnings) warn?.(warning)
  const nowMs = clock()
  await requireLoss(rows, masterKey, settings, nowMs)
  const making = {
    masterKey: masterKey.bytes,
    random,
    createdAtMs: nowMs,
    activeAtMs: nowMs,
    isForClients: isForClients(settings),
  }
  const added = await generateKeys(purposesIn(rows, settings), making)
  const lost: StoredKey[] = []
  for (const row of rows) {
    if (row.use === 'imported') continue
    if (isPublished(row, nowMs) && (await unwrapKey(masterKey.bytes, row)) === undefined) lost.push(row)
  }
  const kept = rows.filter((row) => !lost.includes(row))
  const lostEnds = lost.map((row) => endOf(row, lostAtMs(row, settings, nowMs)))
  const details = { activeAtMs: nowMs, lost: lost.map(({ id }) => id), ...describeKeys(added) }
  const event = eventBy(actor, nowMs, 'keys_rotated', {}, details)
  if (!(await storage.keys.rotate(added, [...endsOf(kept, settings, nowMs), ...lostEnds], [event]))) {
    throw new KeyRingProblem('Another process changed the keys at the same time. Stop the servers, then try again.')
  }
  return added
}

/** Refuses to replace a ring that can be decrypted: every session, refresh token and open form would end needlessly. */
async function requireLoss(
  rows: readonly StoredKey[],
  masterKey: MasterKey,
  settings: Settings,
  nowMs: number,
): Promise<void> {
  const opened = await loadState(rows, emptyState, purposesIn(rows, settings), masterKey, nowMs).catch(
    (error: unknown) => {
      if (error instanceof KeyRingProblem) return undefined
      throw error
    },
  )
  const count = opened === undefined ? 0 : opened.signing.size + opened.secrets.size
  if (count === 0) return
  throw new KeyRingProblem(
    `The master key is not lost: ${count} keys decrypt with the one from ${masterKey.source}. ` +
      'To replace the keys without invalidating anything, run: latchkey keys rotate',
  )
}

const endOf = (row: StoredKey, expiresAtMs: number): KeyEnd => ({ id: row.id, fromMs: row.expiresAtMs, expiresAtMs })

/** Returns expiries for the keys without one, counted from when their successors become active. */
function endsOf(rows: readonly StoredKey[], settings: Settings, replacedAtMs: number): KeyEnd[] {
  return rows.flatMap((row) => {
    const afterMs = dependenceMs(row.use, settings)
    return row.expiresAtMs !== null || afterMs === null ? [] : [endOf(row, replacedAtMs + afterMs)]
  })
}

/** Practically never: the year 9999. */
const foreverMs = Date.UTC(9999, 11, 31)

/** The public part of a lost signing key still verifies what it signed. One that never signed expires at once. */
function lostAtMs(row: StoredKey, settings: Settings, nowMs: number): number {
  if (row.activeAtMs > nowMs) return nowMs
  if (row.use === 'audit') return foreverMs
  if (row.use !== 'sign') return nowMs
  return row.expiresAtMs ?? nowMs + (dependenceMs(row.use, settings) ?? 0)
}
