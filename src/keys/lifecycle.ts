/** The life of a key, decided by times alone: published → active → retired → gone. Pure. */
import type { Settings, SigningAlgorithm } from '../settings.ts'
import type { StoredKey } from '../storage/port.ts'
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

export const secretUses: readonly SecretUse[] = ['antiforgery', 'refresh', 'code', 'external']

/** What a key is for: keys of the same purpose replace one another. */
export type Purpose = Pick<StoredKey, 'use' | 'algorithm'>

/** One signing key for each algorithm that the settings name, one secret for each use. */
export function purposesOf({ oauth }: Settings): Purpose[] {
  const algorithms = new Set<SigningAlgorithm>([oauth.accessTokenAlgorithm, oauth.identityTokenAlgorithm])
  return [
    ...[...algorithms].map((algorithm) => ({ use: 'sign' as const, algorithm })),
    ...secretUses.map((use) => ({ use, algorithm: 'secret' })),
  ]
}

/**
 * How long after its last use something can still depend on a key; null: for ever. A refresh chain keeps the derivation
 * secret that it began with, and may be renewed without end.
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
  }
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
    .sort(
      (a, b) =>
        a.activeAtMs - b.activeAtMs ||
        Number(a.expiresAtMs === null) - Number(b.expiresAtMs === null) ||
        (a.id < b.id ? -1 : 1),
    )
  // None is due yet when the first key was made by a node whose clock is ahead of ours.
  return published.findLast((key) => key.activeAtMs <= nowMs) ?? published[0]
}

export type KeyState = 'published' | 'active' | 'retired' | 'expired'

/** `published`: a successor that waits for its time. `retired`: replaced, but something may still depend on it. */
export function keyState(key: StoredKey, keys: readonly StoredKey[], nowMs: number): KeyState {
  if (!isPublished(key, nowMs)) return 'expired'
  if (activeKey(keys, key, nowMs)?.id === key.id) return 'active'
  return key.activeAtMs > nowMs ? 'published' : 'retired'
}
