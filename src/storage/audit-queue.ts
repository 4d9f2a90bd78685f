/**
 * What is recorded without a write of its own: refusals, failures that change nothing. It is gathered for a second and
 * written in one commit, and nobody waits for it. A flood costs no more than that: what exceeds the room of a second is
 * counted, and the count is recorded in its place.
 */
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'

const flushAfterMs = 1000
/** Entries of one second and process. */
const room = 256

/** `sinceMs`: when it was noted, by a clock that only runs forward. */
type Noted = { readonly event: AuditEvent; readonly sinceMs: number; readonly isLate: boolean }

export function auditQueue(write: (events: AuditEvents) => Promise<void>) {
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
    const events = noted.map(toWrite)
    if (count > 0 && last !== undefined) events.push(notRecordedEvent(count, nowOf(last)))
    if (events.length === 0) return
    waiting = []
    notRecorded = 0
    try {
      await write(events)
    } catch (error) {
      // Kept for the next turn, as far as there is room beside what came meanwhile.
      const kept = noted.slice(0, Math.max(0, room - waiting.length)).map((one) => ({ ...one, isLate: true }))
      notRecorded += noted.length - kept.length + count
      waiting = [...kept, ...waiting]
      throw error
    }
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
    note(event: AuditEvent): void {
      last = { event, sinceMs: performance.now(), isLate: false }
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

function notRecordedEvent(count: number, atMs: number): AuditEvent {
  const nobody = { userId: null, clientId: null, traceId: null, address: null }
  return { atMs, kind: 'not_recorded', ...nobody, details: { count } }
}
