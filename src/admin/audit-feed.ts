/**
 * Follows the audit trail for each client that listens, as the body of its answer. A client that reads slowly is read for slowly:
 * nothing is kept for it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { following, lateMs, Position } from '../audit/following.ts'
import { auditRecord } from '../audit/record.ts'
import type { BodyStream } from '../http/body-stream.ts'
import { eventText } from '../http/event-stream.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'

export type AuditFeed = {
  /** Resolves to undefined if there are too many listeners already. */
  listen(request: Listening): Promise<BodyStream | undefined>
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

/** Pages read without a pause: the same bound as for a page of the list. */
const pagesAtMost = 100
/** Pauses without an event after which the connection is kept alive. */
const quietAtMost = 15
/** What a client waits before it connects again, in milliseconds. */
const retryMs = 2000

export function auditFeed({ audit, clock, everyMs, ended }: FeedParts): AuditFeed {
  /** The owner of each listener. */
  const owners = new Map<AbortController, string>()
  const closeAll = (): void => {
    for (const listener of [...owners.keys()]) listener.abort()
  }
  ended.addEventListener('abort', closeAll, { once: true })

  async function listenFrom(closing: AbortController, { filter, from, mayGoOn }: Listening): Promise<BodyStream> {
    const { signal } = closing
    const position = from ?? (await Position.end(audit, clock()))
    const readPage = following(audit, position, filter)
    const { untilMs = Number.POSITIVE_INFINITY } = filter
    let text = `retry: ${retryMs}\nid: ${position}\n\n`
    let isEnd = false
    let pages = 0
    let quiet = 0

    async function readOn(): Promise<void> {
      if (isEnd || pages === pagesAtMost) {
        await pause(everyMs, undefined, { signal })
        pages = 0
        quiet += 1
      }
      const isOver = clock() > untilMs + lateMs
      isEnd = await readPage(clock(), (entry) => {
        text += eventText(auditRecord(entry), { id: String(position) })
      })
      pages += 1
      // After the page was read: what came in since the caller lost its right is not sent.
      if ((isEnd && isOver && text === '') || !(await mayGoOn())) closing.abort()
      if (text === '' && quiet >= quietAtMost) text = `:\nid: ${position}\n\n`
      if (text !== '') quiet = 0
    }

    return {
      async next() {
        // Nothing can be said about the caller without the database. Clients come back.
        while (text === '' && !signal.aborted) await readOn().catch(() => closing.abort())
        const part = signal.aborted ? undefined : text
        text = ''
        return part
      },
      close: () => closing.abort(),
    }
  }

  return {
    count: () => owners.size,
    async listen(request) {
      const { owner } = request
      const ofOwner = [...owners.values()].filter((one) => one === owner).length
      if (owners.size >= listenersAtMost || ofOwner >= listenersOfOwnerAtMost) return undefined
      const closing = new AbortController()
      owners.set(closing, owner)
      closing.signal.addEventListener('abort', () => owners.delete(closing), { once: true })
      if (ended.aborted) closing.abort()
      return listenFrom(closing, request).catch((error: unknown) => {
        closing.abort()
        throw error
      })
    },
  }
}
