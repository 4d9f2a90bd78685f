/**
 * When this process replaced refresh tokens, by a clock that never jumps: one that is set forward between an answer and its
 * honest retry makes no thief of a client, and one that is set back does not prolong the leeway. Other processes, and this one
 * after a restart, go by the stored times.
 */

/** Rotations of a leeway that are remembered. Beyond it, the oldest go by the stored times. */
const keptAtMost = 20_000

export type RotationTimes = {
  /** The time that `note` takes, read when the rotation is decided: the stored time is of that moment, too. */
  now(): number
  /** Notes that the generation was replaced at `atMs`. `leewayMs`: how long that matters; 0: not at all. */
  note(grantId: string, generation: number, leewayMs: number, atMs: number): void
  /** Returns how long ago this process replaced it; undefined: it did not, or longer ago than matters. */
  agoMs(grantId: string, generation: number): number | undefined
}

/** `monotonic`: milliseconds that continue while the process runs, and never jump. */
export function rotationTimes(monotonic: () => number): RotationTimes {
  // Two halves, of which the older one is dropped as a whole.
  let recent = new Map<string, number>()
  let older: ReadonlyMap<string, number> = recent
  let recentSinceMs = monotonic()
  const keyOf = (grantId: string, generation: number): string => `${grantId}.${generation}`
  return {
    now: monotonic,
    note(grantId, generation, leewayMs, atMs) {
      if (leewayMs <= 0) return
      const nowMs = monotonic()
      if (nowMs - recentSinceMs > leewayMs || recent.size >= keptAtMost) {
        older = recent
        recent = new Map()
        recentSinceMs = nowMs
      }
      recent.set(keyOf(grantId, generation), atMs)
    },
    agoMs(grantId, generation) {
      const key = keyOf(grantId, generation)
      const atMs = recent.get(key) ?? older.get(key)
      return atMs === undefined ? undefined : monotonic() - atMs
    },
  }
}
