/**
 * What is recorded without a write of its own: refusals, failures that change nothing. It is gathered for a second and
 * written in one commit, and nobody waits for it. A flood costs no more than that: what exceeds the room of a second is
 * counted, and the count is recorded in its place.
 */
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'

const flushAfterMs = 1000
/** Entries of one second and process. */
const room = 256

export function auditQueue(write: (events: AuditEvents) => Promise<void>) {
  let waiting: AuditEvent[] = []
  let notRecorded = 0
  let lastAtMs = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  async function writeWaiting(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const count = notRecorded
    const events = [...waiting, ...(count > 0 ? [notRecordedEvent(count, lastAtMs)] : [])]
    if (events.length === 0) return
    waiting = []
    notRecorded = 0
    try {
      await write(events)
    } catch (error) {
      // Kept for the next turn, as far as there is room beside what came meanwhile.
      const kept = events.slice(0, Math.max(0, room - waiting.length)).filter(({ kind }) => kind !== 'not_recorded')
      notRecorded += events.length - (count > 0 ? 1 : 0) - kept.length + count
      waiting = [...kept, ...waiting]
      throw error
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(writeWaiting)
    return flushing
  }

  function turn(): void {
    // The database is away: others have said so. What is kept is tried again with what comes next.
    flush().catch(() => {})
  }

  return {
    note(event: AuditEvent): void {
      lastAtMs = event.atMs
      if (waiting.length < room) waiting.push(event)
      else notRecorded += 1
      timer ??= setTimeout(turn, flushAfterMs).unref()
    },
    flush,
  }
}

function notRecordedEvent(count: number, atMs: number): AuditEvent {
  const nobody = { userId: null, clientId: null, traceId: null, address: null }
  return { atMs, kind: 'not_recorded', ...nobody, details: { count } }
}
