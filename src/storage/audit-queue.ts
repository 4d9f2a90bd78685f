/**
 * Records events that have no commit of their own: refusals, and failures that change nothing. Gathers them for a
 * second and writes them in one commit; requests do not wait for it. Events that unauthenticated clients can cause are
 * limited per minute, per network and in total. The excess is counted, and one entry reports the count.
 */
import { chainOf } from '../audit/chain.ts'
import { plainEvent } from '../audit/draft.ts'
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { type FloodLimits, floodGate, tally } from '../protocol/flood-gate.ts'
import { StorageUnavailable } from './port/unavailable.ts'

const flushAfterMs = 1000
/** Capacity of the queue, which is written every second. */
const room = 256
/** Per process and minute. */
const refusalLimits: FloodLimits = { perNetwork: 60, inAll: 600 }

/** Events that a working database refused. They are not retried. */
export type AuditLoss = { readonly events: number; readonly cause: string }

export type QueueOptions = {
  /** Called with events that are given up. Default: does nothing. */
  readonly lost?: ((loss: AuditLoss) => void) | undefined
  /** Returns the network of a client's address, for the limits. Default: the address itself. */
  readonly networkOf?: ((address: string) => string) | undefined
  /** Default: 60 a minute per network, 600 in total. */
  readonly limits?: FloodLimits | undefined
}

/** `sinceMs`: when it was noted, on a monotonic clock. */
type Noted = { readonly event: AuditEvent; readonly sinceMs: number; readonly isLate: boolean }

/** `write` stores all events or none. */
export function auditQueue(
  write: (events: AuditEvents) => Promise<void>,
  { lost = () => {}, networkOf = (address) => address, limits = refusalLimits }: QueueOptions = {},
) {
  let waiting: Noted[] = []
  let last: Noted | undefined
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isClosed = false
  const gate = floodGate(limits)
  let held = tally()

  /** `isWhole`: also reports counts of a minute that is not over yet. */
  async function writeWaiting(isWhole: boolean): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const noted = waiting
    waiting = []
    if (noted.length > 0) await writeNoted(noted)
    if (held.count === 0 || last === undefined) return
    if (isWhole || gate.isOver(performance.now())) await writeCounts(last)
    else arm()
  }

  async function writeNoted(noted: readonly Noted[]): Promise<void> {
    try {
      await write(noted.map(toWrite))
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) return writeApart(noted)
      keep(noted)
      throw error
    }
  }

  /** Writes the counts, in an entry with the current time. */
  async function writeCounts(latest: Noted): Promise<void> {
    const told = held
    held = tally()
    try {
      await write([notRecorded({ ...told.told(), reason: 'too_many' }, nowOf(latest))])
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) lost({ events: told.count, cause: messageOf(error) })
      else {
        held.addAll(told)
        throw error
      }
    }
  }

  /** Keeps events for the next attempt, as far as the queue has room. */
  function keep(noted: readonly Noted[]): void {
    const kept = noted.slice(0, Math.max(0, room - waiting.length))
    for (const { event } of noted.slice(kept.length)) held.add(networkOf(event.address ?? ''))
    waiting = [...kept.map((one) => ({ ...one, isLate: true })), ...waiting]
  }

  /** The database refused at least one of them. Writes each separately, so that the others are stored. */
  async function writeApart(noted: readonly Noted[]): Promise<void> {
    let givenUp = 0
    for (const [at, one] of noted.entries()) {
      try {
        await write([toWrite(one)])
      } catch (error) {
        if (error instanceof StorageUnavailable) {
          keep(noted.slice(at))
          throw error
        }
        givenUp += 1
        lost({ events: 1, cause: messageOf(error) })
      }
    }
    const at = noted.at(-1)
    if (givenUp === 0 || at === undefined) return
    // The loss was already reported to the callback, whether or not this entry can be written.
    await write([notRecorded({ count: givenUp, reason: 'unwritable' }, nowOf(at))]).catch(() => {})
  }

  function flush(isWhole: boolean): Promise<void> {
    flushing = flushing.catch(() => {}).then(() => writeWaiting(isWhole))
    return flushing
  }

  function onTimer(): void {
    // An unreachable database is reported elsewhere. The queue retries.
    flush(false).catch(arm)
  }

  function arm(): void {
    if (!isClosed) timer ??= setTimeout(onTimer, flushAfterMs).unref()
  }

  return {
    /**
     * Never throws, whatever the event contains. Returns false if the event was only counted. Ignores a mail: what
     * changed nothing is told to nobody.
     */
    note(given: AuditEvents[number]): boolean {
      const event = plainEvent(given)
      const sinceMs = performance.now()
      last = { event, sinceMs, isLate: false }
      const network = networkOf(event.address ?? '')
      const isRecorded = waiting.length < room && (chainOf(event.kind) === 'acts' || gate.admits(network, sinceMs))
      if (isRecorded) waiting.push(last)
      else held.add(network)
      arm()
      return isRecorded
    },
    /** Reports counts so far as well. */
    flush: () => flush(true),
    /** Makes a last attempt. */
    close(): Promise<void> {
      isClosed = true
      return flush(true)
    },
  }
}

/** A late event keeps its time only in the details: an entry older than the last checkpoints would look forged. */
function toWrite(noted: Noted): AuditEvent {
  const { event, isLate } = noted
  return isLate ? { ...event, atMs: nowOf(noted), details: { ...event.details, notedAtMs: event.atMs } } : event
}

function nowOf({ event, sinceMs }: Noted): number {
  return event.atMs + Math.round(performance.now() - sinceMs)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function notRecorded(details: AuditEvent['details'], atMs: number): AuditEvent {
  return { atMs, kind: 'not_recorded', userId: null, clientId: null, traceId: null, address: null, details }
}
