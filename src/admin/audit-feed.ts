/**
 * Follows the audit trail for everybody who listens: one query a second, and only while somebody does. A listener that
 * reads too slowly, or begins in the past, reads the trail in pages of its own until it has caught up.
 */
import type { AuditEntry } from '../audit/entry.ts'
import { lateMs, Position } from '../audit/position.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Feed, type Listener, listenerOf } from './audit-listener.ts'

export type AuditFeed = {
  /** Resolves to undefined if there are too many listeners already. */
  listen(request: Listening): Promise<Listener | undefined>
  /** How many listen now. */
  count(): number
}

export type Listening = {
  /** The caller whom it counts for. */
  readonly owner: string
  readonly filter: AuditFilter
  /** Where to begin; undefined: now. */
  readonly from: Position | undefined
  /** Reads the caller again: whether it may still listen. */
  readonly mayGoOn: () => Promise<boolean>
}

export type FeedParts = {
  readonly audit: Pick<Storage['audit'], 'list' | 'tails'>
  readonly clock: () => number
  readonly everyMs: number
  /** Ends everything. */
  readonly ended: AbortSignal
}

export const listenersAtMost = 32
export const listenersOfOwnerAtMost = 4

/** Rows read at once. */
const portion = 500
/** Most looks read the last moments alone; every fifth one finds what was committed late. */
const momentMs = 4000
const thoroughEach = 5
/** New entries that one look at the trail takes; the next look has the others. */
const freshAtMost = 10_000

export function auditFeed({ audit, clock, everyMs, ended }: FeedParts): AuditFeed {
  const owners = new Map<Listener, string>()
  let position: Position | undefined
  let starting: Promise<Position> | undefined
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let looks = 0

  function endAll(): void {
    for (const listener of [...owners.keys()]) listener.close()
  }
  ended.addEventListener('abort', endAll, { once: true })

  /** Returns the position of the feed, which starts with its first listener. */
  async function start(): Promise<Position> {
    if (position !== undefined) return position
    starting ??= endOf(audit, clock()).finally(() => {
      starting = undefined
    })
    const started = await starting
    // The listener may have closed meanwhile.
    if (owners.size === 0 || ended.aborted) return started
    position ??= started
    timer ??= setInterval(look, everyMs)
    return position
  }

  function leave(listener: Listener): void {
    owners.delete(listener)
    if (owners.size > 0) return
    clearInterval(timer)
    timer = undefined
    position = undefined
  }

  function look(): void {
    const from = position
    if (isLooking || from === undefined) return
    isLooking = true
    readFresh(from)
      .then((fresh) => Promise.all([...owners.keys()].map((listener) => listener.offer(fresh))))
      // Nothing can be said about the callers without the database. Clients come back.
      .catch(endAll)
      .finally(() => {
        isLooking = false
      })
  }

  async function readFresh(from: Position): Promise<AuditEntry[]> {
    const fresh: AuditEntry[] = []
    looks += 1
    const nowMs = clock()
    const isThorough = looks % thoroughEach === 0
    if (isThorough) from.forget(nowMs)
    const sinceMs = from.readFromMs(nowMs, isThorough ? lateMs : momentMs)
    for (let last: AuditEntry | undefined; fresh.length < freshAtMost; ) {
      const rows = await audit.list({ sinceMs }, last, portion)
      fresh.push(...rows.filter((entry) => from.take(entry)))
      if (rows.length < portion) break
      last = rows.at(-1)
    }
    return fresh
  }

  return {
    count: () => owners.size,
    async listen({ owner, filter, from, mayGoOn }) {
      const ofOwner = [...owners.values()].filter((one) => one === owner).length
      if (owners.size >= listenersAtMost || ofOwner >= listenersOfOwnerAtMost) return undefined
      const feed: Feed = { audit, clock, leave }
      const listener = listenerOf(feed, { filter, mayGoOn })
      owners.set(listener, owner)
      try {
        const now = await start()
        listener.begin(from ?? now.copy(), from === undefined)
      } catch (error) {
        listener.close()
        throw error
      }
      if (ended.aborted) listener.close()
      return listener
    },
  }
}

/** Returns the end of the trail. */
async function endOf(audit: Pick<Storage['audit'], 'tails'>, nowMs: number): Promise<Position> {
  return new Position(nowMs, await audit.tails(nowMs - 2 * lateMs, Number.MAX_SAFE_INTEGER))
}
