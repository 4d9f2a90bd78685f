/** The lifecycle of a key, determined by its times alone: published → active → retired → expired. Pure. */
import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import { clientAlgorithms } from '../protocol/client/signing-algorithms.ts'
import type { Settings } from '../settings/settings.ts'
import type { KeyEnd, StoredKey } from '../storage/port/keys.ts'
import type { AssertionAlgorithm, SecretUse } from './key-ring.ts'

/**
 * How long a successor is published before it is used. Every process reads the ring many times in that period, and
 * resource servers that cache the key set no longer than that have the new key before its first signature.
 */
export const propagationMs = 5 * 60_000

/** Allows for clock skew and answers in transit. */
const marginMs = 3_600_000

/** Minimum time that a retired signing key stays published, in case a lifetime was shortened after it signed. */
const leastRetirementMs = 24 * 3_600_000

export const secretUses: readonly SecretUse[] = [
  'antiforgery',
  'refresh',
  'code',
  'access',
  'external',
  'device',
  'mail',
  'factor',
  'pairwise',
]

/** A secret that is never replaced: what was made with it, such as a pairwise `sub`, has to be the same for ever. */
export const isLasting = ({ use }: Pick<Purpose, 'use'>): boolean => use === 'pairwise'

/** Maximum time that a scheduled rotation publishes keys in advance. */
const scheduledPropagationMs = 24 * 3_600_000

/** The purpose of a key. Keys of the same purpose replace one another. */
export type Purpose = Pick<StoredKey, 'use' | 'algorithm'>

/** Whether a key of this purpose is a pair, whose private half signs. */
export function isForSigning({ use }: Pick<Purpose, 'use'>): boolean {
  return use === 'sign' || use === 'audit' || use === 'assertion'
}

/**
 * Returns the purposes of the service: a signing key per algorithm in the settings, a secret per use, and the key of
 * the audit trail.
 */
export function purposesOf({ oauth }: Settings): Purpose[] {
  const algorithms = new Set<ClientAlgorithm>([oauth.accessTokenAlgorithm, oauth.identityTokenAlgorithm])
  return [
    ...[...algorithms].map((algorithm) => ({ use: 'sign' as const, algorithm })),
    ...secretUses.map((use) => ({ use, algorithm: 'secret' })),
    { use: 'audit', algorithm: 'ES256' },
  ]
}

/** Returns the purposes of signing for clients: every algorithm that one can register. */
export function signingPurposesOf({ oauth }: Settings): Purpose[] {
  return clientAlgorithms(oauth.postQuantum).map((algorithm) => ({ use: 'sign', algorithm }))
}

/**
 * Returns the purposes of authenticating at external providers (`private_key_jwt`, RFC 7523): one for each algorithm that one
 * may ask for. A key is made when it is first needed.
 */
export function assertionPurposes(): Purpose[] {
  return assertionAlgorithms.map((algorithm) => ({ use: 'assertion', algorithm }))
}

/** Preferred first: every provider should know RS256 (OpenID Connect Discovery §3). */
export const assertionAlgorithms: readonly AssertionAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** Whether clients alone ask for the key of a purpose. */
export function isForClients(settings: Settings): (purpose: Purpose) => boolean {
  const own = purposesOf(settings)
  return (purpose) =>
    purpose.use === 'sign' && !own.some(({ use, algorithm }) => use === purpose.use && algorithm === purpose.algorithm)
}

/** Returns the purposes of a ring: those of the settings, and the further algorithms that have a key. */
export function purposesIn(ring: readonly StoredKey[], settings: Settings): Purpose[] {
  const purposes = purposesOf(settings)
  const isUsed = (purpose: Purpose, { use, algorithm }: Purpose): boolean =>
    use === purpose.use && algorithm === purpose.algorithm
  const further = [...signingPurposesOf(settings), ...assertionPurposes()].filter(
    (purpose) =>
      !purposes.some((own) => isUsed(purpose, own)) &&
      ring.some((key) => key.expiresAtMs === null && isUsed(purpose, key)),
  )
  return [...purposes, ...further]
}

/** Returns those that a rotation renews. */
export function renewedIn(ring: readonly StoredKey[], settings: Settings): Purpose[] {
  return purposesIn(ring, settings).filter((purpose) => !isLasting(purpose))
}

/**
 * Returns how long after its last use something can still depend on a key; null: unknown in advance. A refresh chain
 * adopts a new derivation secret at its next rotation, which may come as late as its tokens expire; `Storage.sweep`
 * finds the end. Keys whose use is unknown belong to a newer version and are left alone.
 */
export function dependenceMs(use: StoredKey['use'], { oauth }: Settings): number | null {
  switch (use) {
    // Opaque access tokens are sealed, others signed.
    case 'access':
    case 'sign': {
      const longestMs = Math.max(oauth.accessTokenLifetimeSeconds, oauth.identityTokenLifetimeSeconds) * 1000
      return Math.max(longestMs, leastRetirementMs) + marginMs
    }
    case 'refresh':
      return null
    case 'antiforgery':
      return 12 * 3_600_000 + marginMs
    case 'code':
      return oauth.authorizationCodeLifetimeSeconds * 1000 + marginMs
    case 'external':
      return marginMs
    // An assertion is valid for a minute.
    case 'assertion':
      return marginMs
    case 'device':
      return 180 * 24 * 3_600_000 + marginMs
    // Twice as long as a mail may wait.
    case 'mail':
      return 14 * 24 * 3_600_000 + marginMs
    // Its end is that of the import.
    case 'imported':
    // Secrets of authenticator apps are read, and checkpoints verified, for as long as any exist.
    case 'factor':
    case 'pairwise':
    case 'audit':
      return null
    default:
      // A use that a newer version introduced; only that version knows its end.
      return null
  }
}

/**
 * Returns how long a scheduled rotation publishes a successor before it is used: a day, or a quarter of the interval if
 * that is shorter. A day outlasts common cache lifetimes.
 */
export function scheduledLeadMs({ keys }: Settings): number {
  return Math.max(propagationMs, Math.min(scheduledPropagationMs, keys.rotateEverySeconds * 250))
}

/** Whether successors must be published now, so that no key is used for longer than `Keys:RotateEvery`. */
export function isRotationDue(ring: readonly StoredKey[], settings: Settings, nowMs: number): boolean {
  const everyMs = settings.keys.rotateEverySeconds * 1000
  if (everyMs === 0) return false
  return renewedIn(ring, settings).some(({ use, algorithm }) => {
    const current = ring.filter((key) => key.use === use && key.algorithm === algorithm && key.expiresAtMs === null)
    if (current.length === 0) return false
    return Math.max(...current.map((key) => key.activeAtMs)) + everyMs - scheduledLeadMs(settings) <= nowMs
  })
}

/**
 * Returns later expiries for keys that are still active while their successors wait, when the lifetimes in the settings
 * have grown since. What such a key signs would otherwise outlive it.
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

/** Returns the key for new values: the latest one already active; among equals, one without an expiry. */
export function activeKey(
  keys: readonly StoredKey[],
  { use, algorithm }: Purpose,
  nowMs: number,
): StoredKey | undefined {
  const published = keys
    .filter((key) => key.use === use && key.algorithm === algorithm && isPublished(key, nowMs))
    .sort(byActivation)
  // No key is active yet if a node whose clock is ahead created the first one.
  return published.findLast((key) => key.activeAtMs <= nowMs) ?? published[0]
}

/** Orders the keys of one purpose; among equals, one without an expiry comes last. */
export function byActivation(a: StoredKey, b: StoredKey): number {
  const ended = Number(a.expiresAtMs === null) - Number(b.expiresAtMs === null)
  return a.activeAtMs - b.activeAtMs || ended || (a.id < b.id ? -1 : 1)
}

export type KeyState = 'published' | 'active' | 'retired' | 'expired'

/** `published`: a successor that is not active yet. `retired`: replaced, but something may still depend on it. */
export function keyState(key: StoredKey, keys: readonly StoredKey[], nowMs: number): KeyState {
  if (!isPublished(key, nowMs)) return 'expired'
  if (key.use === 'imported') return 'retired'
  if (activeKey(keys, key, nowMs)?.id === key.id) return 'active'
  return key.activeAtMs > nowMs ? 'published' : 'retired'
}

/** Returns a key as JSON, the same in every interface. `ring`: all keys. */
export function keyRecord(key: StoredKey, ring: readonly StoredKey[], nowMs: number) {
  const isoTime = (ms: number) => new Date(ms).toISOString()
  return {
    id: key.id,
    use: key.use,
    algorithm: key.algorithm,
    state: keyState(key, ring, nowMs),
    created_at: isoTime(key.createdAtMs),
    active_at: isoTime(key.activeAtMs),
    expires_at: key.expiresAtMs === null ? null : isoTime(key.expiresAtMs),
  }
}
