/**
 * What is recorded without a write of its own: refusals, failures that change nothing. It is gathered for a second and
 * written in one commit, and nobody waits for it. A flood costs no more than that: what exceeds the room of a second is
 * counted, and the count is recorded in its place.
 */
import { plainEvent } from '../audit/draft.ts'
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { StorageUnavailable } from './port.ts'

const flushAfterMs = 1000
/** Entries of one second and process. */
const room = 256

/** Events that the database did not take although it could be written to. They are not tried again. */
export type AuditLoss = { readonly events: number; readonly cause: string }

/** `sinceMs`: when it was noted, by a clock that only runs forward. */
type Noted = { readonly event: AuditEvent; readonly sinceMs: number; readonly isLate: boolean }

/** `write` enters all events or none. `lost` is told of events that are given up. */
export function auditQueue(write: (events: AuditEvents) => Promise<void>, lost: (loss: AuditLoss) => void = () => {}) {
  let waiting: Noted[] = []
  let notRecorded = 0
  let last: Noted | undefined
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isClosed = false

  async function writeWaiting(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const [noted, count] = [waiting, notRecorded]
    if (noted.length === 0 && count === 0) return
    waiting = []
    notRecorded = 0
    const summary = count > 0 && last !== undefined ? [summaryOf(count, nowOf(last), 'too_many')] : []
    try {
      await write([...noted.map(toWrite), ...summary])
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) {
        notRecorded += count
        return writeApart(noted)
      }
      keep(noted, count)
      throw error
    }
  }

  /** For the next turn, as far as there is room beside what came meanwhile. `count`: what was counted already. */
  function keep(noted: readonly Noted[], count: number): void {
    const kept = noted.slice(0, Math.max(0, room - waiting.length)).map((one) => ({ ...one, isLate: true }))
    notRecorded += noted.length - kept.length + count
    waiting = [...kept, ...waiting]
  }

  /** The database refused something among them: each by itself, so that this one takes no other with it. */
  async function writeApart(noted: readonly Noted[]): Promise<void> {
    let givenUp = 0
    for (const [at, one] of noted.entries()) {
      try {
        await write([toWrite(one)])
      } catch (error) {
        if (error instanceof StorageUnavailable) {
          keep(noted.slice(at), 0)
          throw error
        }
        givenUp += 1
        lost({ events: 1, cause: error instanceof Error ? error.message : String(error) })
      }
    }
    const at = noted.at(-1)
    // Whoever was told of the loss knows, also when this cannot be written either.
    if (givenUp > 0 && at !== undefined) await write([summaryOf(givenUp, nowOf(at), 'unwritable')]).catch(() => {})
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(writeWaiting)
    return flushing
  }

  function turn(): void {
    // The database is away: others have said so. What is kept is tried again.
    flush().catch(arm)
  }

  function arm(): void {
    if (!isClosed) timer ??= setTimeout(turn, flushAfterMs).unref()
  }

  return {
    /** Never throws, whatever the event holds. */
    note(event: AuditEvent): void {
      last = { event: plainEvent(event), sinceMs: performance.now(), isLate: false }
      if (waiting.length < room) waiting.push(last)
      else notRecorded += 1
      arm()
    },
    flush,
    /** Tries it for the last time. */
    close(): Promise<void> {
      isClosed = true
      return flush()
    },
  }
}

/** What is written late has the time of then: an entry that looks older than the last checkpoints would look put in. */
function toWrite(noted: Noted): AuditEvent {
  const { event, isLate } = noted
  return isLate ? { ...event, atMs: nowOf(noted), details: { ...event.details, notedAtMs: event.atMs } } : event
}

function nowOf({ event, sinceMs }: Noted): number {
  return event.atMs + Math.round(performance.now() - sinceMs)
}

function summaryOf(count: number, atMs: number, reason: 'too_many' | 'unwritable'): AuditEvent {
  const nobody = { userId: null, clientId: null, traceId: null, address: null }
  return { atMs, kind: 'not_recorded', ...nobody, details: { count, reason } }
}
