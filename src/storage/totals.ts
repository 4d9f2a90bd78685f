/**
 * Counts the rows of large tables without blocking: window by window along the primary key, with other work in between.
 * An answer never waits long; until a first count has ended, it says how far the count came.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { TotalKind, Totals } from './port/statistics.ts'

export type CountedWindow = {
  readonly count: number
  /** The key after which the next window starts; undefined: this was the last. */
  readonly next: string | undefined
}

/** How long an answer waits for a count. */
const patienceMs = 50
/** A count that took longer than that is repeated after this time at the earliest, and after so many times its duration. */
const restMs = 60_000
const restFactor = 20

type Run = { readonly atMs: number; readonly counts: Record<TotalKind, number>; readonly done: Promise<Totals> }

/** `monotonic`: milliseconds that never jump. */
export function totalsWith(
  windowOf: (kind: TotalKind, after: string, nowMs: number) => Promise<CountedWindow>,
  monotonic: () => number,
): (nowMs: number) => Promise<Totals> {
  let running: Run | undefined
  let last: { readonly totals: Totals; readonly endedAtMs: number; readonly tookMs: number } | undefined

  function start(nowMs: number): Run {
    const counts = { people: 0, clients: 0, sessions: 0, grants: 0 }
    const startedAtMs = monotonic()
    const countAll = async (kind: TotalKind) => {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { count, next }: CountedWindow = await windowOf(kind, after, nowMs)
        counts[kind] += count
        after = next
      }
    }
    const work = async (): Promise<Totals> => {
      try {
        await Promise.all([countAll('people'), countAll('clients'), countAll('sessions'), countAll('grants')])
        const totals = { ...counts, isExact: true, atMs: nowMs }
        const endedAtMs = monotonic()
        last = { totals, endedAtMs, tookMs: endedAtMs - startedAtMs }
        return totals
      } finally {
        running = undefined
      }
    }
    const done = work()
    // Nobody may be waiting any more; the next call tries again.
    done.catch(() => {})
    return { atMs: nowMs, counts, done }
  }

  return async (nowMs) => {
    if (last !== undefined && last.tookMs > patienceMs) {
      const rest = Math.max(restMs, restFactor * last.tookMs)
      if (monotonic() - last.endedAtMs < rest) return last.totals
    }
    const run = running ?? start(nowMs)
    running = run
    const totals = await Promise.race([run.done, wait(patienceMs)])
    return totals ?? last?.totals ?? { ...run.counts, isExact: false, atMs: run.atMs }
  }
}
