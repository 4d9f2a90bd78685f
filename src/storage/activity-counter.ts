/**
 * Counts events by hour in memory and adds the counts to the database every few seconds. No request waits for it, and no
 * commit of a request grows. A process that is killed loses the counts of these seconds. A commit whose outcome is unknown
 * is repeated, so its counts may be added twice.
 */
import { type Activity, type ActivityCounts, activityOf, noActivity, startOf } from '../audit/activity.ts'
import type { AuditEvents } from '../audit/entry.ts'
import type { Engine } from './engine.ts'

const flushAfterMs = 5000
/** Hours that are kept while the database is unreachable. */
const hoursAtMost = 48

/** `write` stores all counts or none. */
export function activityCounter(write: (hours: readonly Activity[]) => Promise<void>) {
  let hours = new Map<number, ActivityCounts>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isClosed = false

  function add(startsAtMs: number, more: Partial<ActivityCounts>): void {
    const known = hours.get(startsAtMs)
    if (known === undefined && hours.size >= hoursAtMost) return
    const sum = (kind: keyof ActivityCounts) => (known?.[kind] ?? 0) + (more[kind] ?? 0)
    hours.set(startsAtMs, {
      sign_in: sum('sign_in'),
      sign_in_failed: sum('sign_in_failed'),
      tokens_issued: sum('tokens_issued'),
      refusal: sum('refusal'),
      error: sum('error'),
    })
    arm()
  }

  async function writeCounts(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (hours.size === 0) return
    const counted = hours
    hours = new Map()
    try {
      // In one order, so that two processes cannot block each other.
      await write([...counted].map(([startsAtMs, counts]) => ({ startsAtMs, ...counts })).sort(byTime))
    } catch (error) {
      for (const [startsAtMs, counts] of counted) add(startsAtMs, counts)
      throw error
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(writeCounts)
    return flushing
  }

  function arm(): void {
    // An unreachable database is reported elsewhere. The failed flush has armed the next one.
    if (!isClosed) timer ??= setTimeout(() => flush().catch(() => {}), flushAfterMs).unref()
  }

  return {
    /** Never throws. */
    count(events: AuditEvents): void {
      for (const event of events) {
        try {
          const kind = activityOf(event)
          if (kind !== undefined) add(startOf('hour', event.atMs), one[kind])
        } catch {
          // An event that cannot be read has an entry all the same.
        }
      }
    },
    /** Adds the counts so far to the database. */
    flush,
    /** Makes a last attempt. */
    close(): Promise<void> {
      isClosed = true
      return flush()
    },
  }
}

const byTime = (a: Activity, b: Activity): number => a.startsAtMs - b.startsAtMs

const one = Object.fromEntries(Object.keys(noActivity).map((kind) => [kind, { [kind]: 1 }])) as Record<
  keyof ActivityCounts,
  Partial<ActivityCounts>
>

/** Returns the engine with `count` called with the events that its commits stored. */
export function countedEngine(engine: Engine, count: (events: AuditEvents) => void): Engine {
  return {
    ...engine,
    async commit(statements, events, underWay) {
      const committed = await engine.commit(statements, events, underWay)
      const { applied, changes } = committed
      if (events !== undefined && applied && (changes.length === 0 || changes.some((rows) => rows > 0))) count(events)
      return committed
    },
  }
}
