/** Decides which polls of a device come too early (RFC 8628 §3.5). Counts per process, so that a poll writes nothing. */

/** Milliseconds between two polls, unless a device polled too often. */
export const pollIntervalMs = 5000
/** What an early poll adds to the interval. */
const penaltyMs = 5000
/** A poll that is early by no more is on time: a network does not keep time. */
const toleranceMs = 500
/** Bounds the memory that devices can claim. Beyond it the oldest is forgotten. */
const maxDevices = 50_000

export type PollPacing = {
  /**
   * Records a poll of the device. True: it came too early, and its interval is longer from now on. `endsAtMs`: when the
   * device stops polling.
   */
  isEarly(id: string, endsAtMs: number): boolean
}

type Pace = { readonly endsAtMs: number; intervalMs: number; lastMs: number }

export function pollPacing(clock: () => number): PollPacing {
  const paces = new Map<string, Pace>()

  /** Insertion order is almost the order of expiry, so that a look at the oldest suffices. */
  function forget(nowMs: number): void {
    for (const [id, { endsAtMs }] of paces) {
      if (nowMs < endsAtMs && paces.size <= maxDevices) return
      paces.delete(id)
    }
  }

  return {
    isEarly(id, endsAtMs) {
      const nowMs = clock()
      const pace = paces.get(id)
      if (pace === undefined) {
        paces.set(id, { endsAtMs, intervalMs: pollIntervalMs, lastMs: nowMs })
        forget(nowMs)
        return false
      }
      const isEarly = nowMs - pace.lastMs < pace.intervalMs - toleranceMs
      pace.lastMs = nowMs
      if (isEarly) pace.intervalMs += penaltyMs
      return isEarly
    },
  }
}
