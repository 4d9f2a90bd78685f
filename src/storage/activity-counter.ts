/**
 * Counts events by hour, and by client and day, in memory and adds the counts to the database every few seconds. No request waits for it, and no
 * commit of a request grows. A process that is killed loses the counts of these seconds. A commit whose outcome is unknown
 * is repeated, so its counts may be added twice.
 */
import {
  type Activity,
  type ActivityCounts,
  activityOf,
  type ClientActivity,
  clientActivityOf,
  noActivity,
  startOf,
  withClientActivity,
} from '../audit/activity.ts'
import type { AuditEvents } from '../audit/entry.ts'
import type { Engine } from './engine.ts'

const flushAfterMs = 5000
/** Hours that are kept while the database is unreachable. */
const hoursAtMost = 48
/** Days of clients that are kept meanwhile. */
const clientDaysAtMost = 10_000

/** `write` stores all counts or none. */
export function activityCounter(
  write: (hours: readonly Activity[], clients: readonly ClientActivity[]) => Promise<void>,
) {
  let hours = new Map<number, ActivityCounts>()
  let clients = new Map<string, ClientActivity>()
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

  function addOfClient(more: ClientActivity): void {
    const key = `${more.startsAtMs} ${more.clientId}`
    const known = clients.get(key)
    if (known === undefined && clients.size >= clientDaysAtMost) return
    clients.set(key, known === undefined ? more : withClientActivity(known, more))
    arm()
  }

  async function writeCounts(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (hours.size === 0 && clients.size === 0) return
    const [counted, ofClients] = [hours, [...clients.values()]]
    hours = new Map()
    clients = new Map()
    try {
      // In one order, so that two processes cannot block each other.
      const sorted = [...counted].map(([startsAtMs, counts]) => ({ startsAtMs, ...counts })).sort(byTime)
      await write(sorted, ofClients.sort(byClient))
    } catch (error) {
      for (const [startsAtMs, counts] of counted) add(startsAtMs, counts)
      for (const one of ofClients) addOfClient(one)
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
          const ofClient = clientActivityOf(event)
          if (ofClient !== undefined) addOfClient(ofClient)
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

function byClient(a: ClientActivity, b: ClientActivity): number {
  return a.clientId === b.clientId ? a.startsAtMs - b.startsAtMs : a.clientId < b.clientId ? -1 : 1
}

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
