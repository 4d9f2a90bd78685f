/** The life of a key, decided by times alone: published → active → retired → gone. Pure. */
import type { Settings, SigningAlgorithm } from '../settings/settings.ts'
import type { KeyEnd, StoredKey } from '../storage/port/port.ts'
import type { SecretUse } from './key-ring.ts'

/**
 * How long a successor is published before it is used. Every process reads the ring again many times in that span, and
 * resource servers that keep the key set for up to as long meet the new key before its first signature.
 */
export const propagationMs = 5 * 60_000

/** Clocks that differ, answers on their way. */
const marginMs = 3_600_000

/** The least that a retired signing key stays published, should a lifetime have been shortened since it signed. */
const leastRetirementMs = 24 * 3_600_000

export const secretUses: readonly SecretUse[] = ['antiforgery', 'refresh', 'code', 'external', 'device']

/** The longest that a scheduled rotation publishes keys before they are used: nobody waits for them. */
const scheduledPropagationMs = 24 * 3_600_000

/** What a key is for: keys of the same purpose replace one another. */
export type Purpose = Pick<StoredKey, 'use' | 'algorithm'>

/** One signing key for each algorithm that the settings name, one secret for each use, and the key of the audit trail. */
export function purposesOf({ oauth }: Settings): Purpose[] {
  const algorithms = new Set<SigningAlgorithm>([oauth.accessTokenAlgorithm, oauth.identityTokenAlgorithm])
  return [
    ...[...algorithms].map((algorithm) => ({ use: 'sign' as const, algorithm })),
    ...secretUses.map((use) => ({ use, algorithm: 'secret' })),
    { use: 'audit', algorithm: 'ES256' },
  ]
}

/**
 * How long after its last use something can still depend on a key; null: that cannot be known beforehand. A refresh chain
 * takes on a new derivation secret at its next rotation, which may be as far away as its tokens live; `Storage.sweep` finds
 * out. And what a
 * newer version uses a key for, that one knows: beside it, or after going back, this one leaves the key as it is.
 */
export function dependenceMs(use: StoredKey['use'], { oauth }: Settings): number | null {
  switch (use) {
    case 'sign': {
      const longestMs = Math.max(oauth.accessTokenSeconds, oauth.identityTokenSeconds) * 1000
      return Math.max(longestMs, leastRetirementMs) + marginMs
    }
    case 'refresh':
      return null
    case 'antiforgery':
      return 12 * 3_600_000 + marginMs
    case 'code':
      return oauth.authorizationCodeSeconds * 1000 + marginMs
    case 'external':
      return marginMs
    case 'device':
      return 180 * 24 * 3_600_000 + marginMs
    // The checkpoints that it signed are verified for as long as there are any.
    case 'audit':
      return null
    default:
      // A use that a newer version brought: its end is for that version to say.
      return null
  }
}

/**
 * How long a successor that comes by schedule is published before it is used: a day, so that caches of any length have
 * it, or a quarter of the interval when that is shorter.
 */
export function scheduledLeadMs({ keys }: Settings): number {
  return Math.max(propagationMs, Math.min(scheduledPropagationMs, keys.rotateEverySeconds * 250))
}

/** Whether successors must be published now, so that each key is used for no longer than `Keys:RotateEvery`. */
export function isRotationDue(ring: readonly StoredKey[], settings: Settings, nowMs: number): boolean {
  const everyMs = settings.keys.rotateEverySeconds * 1000
  if (everyMs === 0) return false
  return purposesOf(settings).some(({ use, algorithm }) => {
    const current = ring.filter((key) => key.use === use && key.algorithm === algorithm && key.expiresAtMs === null)
    if (current.length === 0) return false
    return Math.max(...current.map((key) => key.activeAtMs)) + everyMs - scheduledLeadMs(settings) <= nowMs
  })
}

/**
 * Ends that were set for shorter lifetimes than the settings give now, of keys that are still used because their
 * successors wait for their time: what they sign from now on would outlive them.
 */
export function endsToMoveOn(ring: readonly StoredKey[], settings: Settings, nowMs: number): KeyEnd[] {
  return ring.flatMap((key) => {
    const afterMs = dependenceMs(key.use, settings)
    const isEnding = key.expiresAtMs !== null && afterMs !== null && activeKey(ring, key, nowMs)?.id === key.id
    const successors = ring.filter(
      ({ use, algorithm, activeAtMs }) => use === key.use && algorithm === key.algorithm && activeAtMs > nowMs,
    )
    if (!isEnding || successors.length === 0) return []
    const neededMs = Math.min(...successors.map(({ activeAtMs }) => activeAtMs)) + (afterMs ?? 0)
    return (key.expiresAtMs ?? 0) < neededMs ? [{ id: key.id, fromMs: key.expiresAtMs, expiresAtMs: neededMs }] : []
  })
}

export function isPublished(key: StoredKey, nowMs: number): boolean {
  return key.expiresAtMs === null || nowMs < key.expiresAtMs
}

/** The key that is used for what is new: of those that may be used, the latest; of equals one that has no end. */
export function activeKey(
  keys: readonly StoredKey[],
  { use, algorithm }: Purpose,
  nowMs: number,
): StoredKey | undefined {
  const published = keys
    .filter((key) => key.use === use && key.algorithm === algorithm && isPublished(key, nowMs))
    .sort(byActivation)
  // None is due yet when the first key was made by a node whose clock is ahead of ours.
  return published.findLast((key) => key.activeAtMs <= nowMs) ?? published[0]
}

/** The order in which keys of one purpose follow each other; of equals one that has no end comes last. */
export function byActivation(a: StoredKey, b: StoredKey): number {
  const ended = Number(a.expiresAtMs === null) - Number(b.expiresAtMs === null)
  return a.activeAtMs - b.activeAtMs || ended || (a.id < b.id ? -1 : 1)
}

export type KeyState = 'published' | 'active' | 'retired' | 'expired'

/** `published`: a successor that waits for its time. `retired`: replaced, but something may still depend on it. */
export function keyState(key: StoredKey, keys: readonly StoredKey[], nowMs: number): KeyState {
  if (!isPublished(key, nowMs)) return 'expired'
  if (activeKey(keys, key, nowMs)?.id === key.id) return 'active'
  return key.activeAtMs > nowMs ? 'published' : 'retired'
}
