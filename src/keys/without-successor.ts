/** Signing keys that need a successor and have none. Pure. */
import type { StoredKey } from '../storage/port/keys.ts'
import { keyState } from './lifecycle.ts'

const dayMs = 86_400_000
/** A key that ends within this time needs a successor. */
const endsWithinMs = 14 * dayMs

/**
 * Returns the active signing keys without a published successor that end within 14 days, or that should have been replaced more
 * than a day ago: the service replaces its keys by itself within minutes. `everyMs`: after how long a key is replaced; 0: never.
 */
export function signingKeysWithoutSuccessor(ring: readonly StoredKey[], everyMs: number, nowMs: number): StoredKey[] {
  const signing = ring.filter(({ use }) => use === 'sign')
  const inState = (state: 'active' | 'published') => signing.filter((key) => keyState(key, ring, nowMs) === state)
  const succeeded = new Set(inState('published').map(({ algorithm }) => algorithm))
  const ends = ({ expiresAtMs }: StoredKey) => expiresAtMs !== null && expiresAtMs < nowMs + endsWithinMs
  const isOverdue = ({ activeAtMs }: StoredKey) => everyMs > 0 && activeAtMs + everyMs < nowMs - dayMs
  return inState('active').filter((key) => !succeeded.has(key.algorithm) && (ends(key) || isOverdue(key)))
}
