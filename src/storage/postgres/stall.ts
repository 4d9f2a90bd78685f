/**
 * Commits that wait for a synchronous replica. No time limit of PostgreSQL ends that wait, and none should: the server
 * would keep the commit and confirm it, although no replica has it. So while commits stall, further ones are refused at
 * once. They would occupy the connections that reads need, and leave sessions behind that end only with a replica.
 */
import type { Committed } from '../engine.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import { hasWritten } from '../writes.ts'

export type CommitGate = {
  /**
   * Undefined: a commit may begin. Otherwise commits seem to stall: asks the server, resolves if none waits for a replica,
   * and rejects with `StorageUnavailable` if some do.
   */
  admit(): Promise<void> | undefined
  /** Runs an admitted commit to its end. Rejects with `StorageUnavailable` if its wait for a replica was cancelled. */
  run(work: () => Promise<Committed>): Promise<Committed>
  /** Must be called for each notice of the server. */
  notice(notice: { readonly [field: string]: string }): void
}

/** How often the server is asked whether commits wait, at most. */
const askedEveryMs = 1000

/**
 * `stalledAfterMs`: longer than a statement may take. `countWaiting`: reads how many commits have waited for a replica for
 * long; rejects with `StorageUnavailable` if the database cannot be read.
 */
export function commitGate(options: {
  readonly place: string
  readonly stalledAfterMs: number
  readonly countWaiting: () => Promise<number>
}): CommitGate {
  const { place, stalledAfterMs, countWaiting } = options
  const underway = new Set<{ readonly sinceMs: number }>()
  let succeededAtMs = Number.NEGATIVE_INFINITY
  let isStalled = false
  /** Number of commits whose wait for a replica was cancelled: PostgreSQL confirms them with a warning. */
  let cancelled = 0
  let waiting: { readonly count: Promise<number>; readonly askedAtMs: number } | undefined

  const isOverdue = (nowMs: number): boolean => {
    const [oldest] = underway
    return oldest !== undefined && nowMs - oldest.sinceMs >= stalledAfterMs && succeededAtMs < oldest.sinceMs
  }

  async function find(): Promise<void> {
    const nowMs = performance.now()
    if (waiting === undefined || nowMs - waiting.askedAtMs >= askedEveryMs) {
      waiting = { count: countWaiting(), askedAtMs: nowMs }
    }
    const count = await waiting.count
    if (count > 0 && isStalled) throw stalled(place)
    // What takes long is something else, such as a lock.
    isStalled = false
  }

  return {
    admit() {
      isStalled ||= isOverdue(performance.now())
      return isStalled ? find() : undefined
    },
    async run(work) {
      const one = { sinceMs: performance.now() }
      underway.add(one)
      const cancelledBefore = cancelled
      try {
        const committed = await work()
        if (cancelled > cancelledBefore) throw unconfirmed(place)
        if (hasWritten(committed)) {
          succeededAtMs = performance.now()
          isStalled = false
        }
        return committed
      } finally {
        underway.delete(one)
      }
    },
    notice({ routine }) {
      // The name of the server's function, because the message is translated.
      if (routine === 'SyncRepWaitForLSN') cancelled += 1
    },
  }
}

function stalled(place: string): StorageUnavailable {
  const message = `The database ${place} confirms no commits: they wait for a synchronous replica, and none answers. Start a replica.`
  return new StorageUnavailable(message, { isPassing: true })
}

function unconfirmed(place: string): StorageUnavailable {
  const message = `The database ${place} has not confirmed a commit: its wait for a synchronous replica was cancelled.`
  return new StorageUnavailable(message, { isPassing: true })
}
