/**
 * What is recorded without a write of its own: refusals, failures that change nothing. It is gathered for a second and
 * written in one commit, and nobody waits for it. Of what strangers cause, so much is recorded a minute for each network
 * and in all; what exceeds it is counted, and one entry tells of it.
 */
import { chainOf } from '../audit/chain.ts'
import { plainEvent } from '../audit/draft.ts'
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { type FloodLimits, floodGate, tally } from '../protocol/flood-gate.ts'
import { StorageUnavailable } from './port/port.ts'

const flushAfterMs = 1000
/** Entries of one second and process. */
const room = 256
/** Of one process. */
const refusalLimits: FloodLimits = { perNetwork: 60, inAll: 600 }

/** Events that the database did not take although it could be written to. They are not tried again. */
export type AuditLoss = { readonly events: number; readonly cause: string }

export type QueueOptions = {
  /** Is told of events that are given up; default: nobody. */
  readonly lost?: ((loss: AuditLoss) => void) | undefined
  /** The network of a client's address, by which floods are bounded; default: the address. */
  readonly networkOf?: ((address: string) => string) | undefined
  /** Default: 60 a minute for a network, 600 in all. */
  readonly limits?: FloodLimits | undefined
}

/** `sinceMs`: when it was noted, by a clock that only runs forward. */
type Noted = { readonly event: AuditEvent; readonly sinceMs: number; readonly isLate: boolean }

/** `write` enters all events or none. */
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

  /** `isWhole`: also what is counted in a minute that is not over. */
  async function writeWaiting(isWhole: boolean): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const noted = waiting
    waiting = []
    if (noted.length > 0) await writeNoted(noted)
    if (held.count === 0 || last === undefined) return
    if (isWhole || gate.isOver(performance.now())) await tellOf(last)
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

  /** Writes what was counted, in an entry of the time of now. */
  async function tellOf(latest: Noted): Promise<void> {
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

  /** For the next turn, as far as there is room beside what came meanwhile. */
  function keep(noted: readonly Noted[]): void {
    const kept = noted.slice(0, Math.max(0, room - waiting.length))
    for (const { event } of noted.slice(kept.length)) held.add(networkOf(event.address ?? ''))
    waiting = [...kept.map((one) => ({ ...one, isLate: true })), ...waiting]
  }

  /** The database refused something among them: each by itself, so that this one takes no other with it. */
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
    // Whoever was told of the loss knows, also when this cannot be written either.
    await write([notRecorded({ count: givenUp, reason: 'unwritable' }, nowOf(at))]).catch(() => {})
  }

  function flush(isWhole: boolean): Promise<void> {
    flushing = flushing.catch(() => {}).then(() => writeWaiting(isWhole))
    return flushing
  }

  function turn(): void {
    // The database is away: others have said so. What is kept is tried again.
    flush(false).catch(arm)
  }

  function arm(): void {
    if (!isClosed) timer ??= setTimeout(turn, flushAfterMs).unref()
  }

  return {
    /** Never throws, whatever the event holds. False: it is not recorded, but counted. */
    note(given: AuditEvent): boolean {
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
    /** With what was counted so far. */
    flush: () => flush(true),
    /** Tries it for the last time. */
    close(): Promise<void> {
      isClosed = true
      return flush(true)
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function notRecorded(details: AuditEvent['details'], atMs: number): AuditEvent {
  return { atMs, kind: 'not_recorded', userId: null, clientId: null, traceId: null, address: null, details }
}
