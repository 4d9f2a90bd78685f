/** One client that listens to the audit trail, as the body of its answer. */
import type { AuditEntry } from '../audit/entry.ts'
import { lateMs, type Position } from '../audit/position.ts'
import { auditRecord } from '../audit/record.ts'
import type { BodyStream } from '../http/body-stream.ts'
import { eventText } from '../http/event-stream.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'

export type Listener = BodyStream & {
  /** `isLive`: the position is that of the feed, so there is nothing to catch up on. */
  begin(position: Position, isLive: boolean): void
  /** Called at each look at the trail, with the entries that are new to the feed. */
  offer(fresh: readonly AuditEntry[]): Promise<void>
}

export type Feed = {
  readonly audit: Pick<Storage['audit'], 'list'>
  readonly clock: () => number
  readonly leave: (listener: Listener) => void
}

export type ListenerOptions = {
  readonly filter: AuditFilter
  readonly mayGoOn: () => Promise<boolean>
}

/** What waits for a client that reads slowly. Beyond it, the client reads the trail in pages. */
const waitingAtMost = 256 * 1024
/** Rows of a page. */
const portion = 200
/** Pages between two looks at the trail: the same bound as for a page of the list. */
const pagesAtMost = 100
/** Looks at the trail without an event after which the connection is kept alive. */
const quietAtMost = 15
/** What a client waits before it connects again, in milliseconds. */
const retryMs = 2000

export function listenerOf({ audit, clock, leave }: Feed, { filter, mayGoOn }: ListenerOptions): Listener {
  let position: Position | undefined
  let waiting = ''
  let isLive = false
  /** Whether the feed has offered something that this listener did not take. */
  let isBehind = false
  let last: AuditEntry | undefined
  let pages = pagesAtMost
  let quiet = 0
  let isClosed = false
  let wake = (): void => {}

  function put(entry: AuditEntry): void {
    if (position?.take(entry) && matches(entry, filter)) {
      waiting += eventText(auditRecord(entry), { id: String(position) })
    }
  }

  /** Returns false if some had no room: the position is before them. */
  function putAll(entries: readonly AuditEntry[]): boolean {
    return entries.every((entry) => {
      if (waiting.length > waitingAtMost) return false
      put(entry)
      return true
    })
  }

  /** Reads one page of what is missing. */
  async function catchUp(from: Position): Promise<void> {
    if (last === undefined) isBehind = false
    pages -= 1
    from.forget(clock())
    const rows = await audit.list({ sinceMs: from.readFromMs(clock()) }, last, portion)
    if (!(await mayGoOn())) return self.close()
    if (isClosed) return
    for (const entry of rows) put(entry)
    last = rows.length < portion ? undefined : rows.at(-1)
    isLive = last === undefined && !isBehind
  }

  const self: Listener = {
    begin(from, live) {
      position = from
      isLive = live
      waiting = `retry: ${retryMs}\nid: ${position}\n\n`
    },
    async offer(fresh) {
      const isOver = filter.untilMs !== undefined && clock() > filter.untilMs + lateMs && isLive
      if (isOver || !(await mayGoOn())) return self.close()
      if (isClosed) return
      pages = pagesAtMost
      const isTaking = isLive && waiting === ''
      if (fresh.length > 0 && !(isTaking && putAll(fresh))) {
        isLive = false
        isBehind = true
      }
      quiet = waiting === '' ? quiet + 1 : 0
      if (quiet >= quietAtMost) {
        waiting = `:\nid: ${position}\n\n`
        quiet = 0
      }
      wake()
    },
    async next() {
      for (;;) {
        if (isClosed) return undefined
        if (waiting !== '') {
          const part = waiting
          waiting = ''
          return part
        }
        if (!isLive && pages > 0 && position !== undefined) await catchUp(position)
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      waiting = ''
      leave(self)
      wake()
    },
  }
  return self
}

function matches(entry: AuditEntry, { sinceMs, untilMs, ...members }: AuditFilter): boolean {
  if (entry.atMs < (sinceMs ?? entry.atMs) || entry.atMs > (untilMs ?? entry.atMs)) return false
  const names = Object.keys(members) as (keyof typeof members)[]
  return names.every((name) => members[name] === undefined || members[name] === entry[name])
}
