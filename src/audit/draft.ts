/**
 * Converts an event to its stored form. Never throws and never produces a value that a database refuses, whatever its
 * input: an act must not fail because its entry cannot be written.
 */
import { boundDetail, type Detail, fitDetail, type Unbounded } from '../protocol/refusals/refusal-detail.ts'
import { chainOf, withDetail } from './chain.ts'
import type { AuditEvent, AuditEvents, Draft } from './entry.ts'

/** UTF-8 bytes of a whole entry in the chains of refusals, which unauthenticated clients can cause. */
export const refusalBytes = 512
/** UTF-8 bytes of the details of any other entry. */
const detailsBytes = 65_536

let unformatted = 0

/**
 * Returns the number of events in this process that could be read only in part. Their entries have `unformatted: true`.
 */
export function unformattedEvents(): number {
  return unformatted
}

export function toDraft(event: AuditEvents[number]): Draft {
  try {
    return bounded(format(event))
  } catch {
    unformatted += 1
    return bounded(salvage(event))
  }
}

/** Returns a copy of the event as plain values that nothing can change before it is written. */
export function plainEvent(event: AuditEvents[number]): AuditEvent {
  const { kind, details, ...others } = toDraft(event)
  return { ...others, kind: kind as AuditEvent['kind'], details: JSON.parse(details) as AuditEvent['details'] }
}

/** Throws if a member is not of its declared type. */
function format({ atMs, kind, userId, clientId, traceId, address, details }: AuditEvents[number]): Draft {
  const text = JSON.stringify(details)
  if (!isTime(atMs) || !isKind(kind) || typeof text !== 'string' || text[0] !== '{') throw new TypeError()
  return {
    atMs,
    kind,
    userId: oneLine(userId, idLength),
    clientId: oneLine(clientId, idLength),
    traceId: oneLine(traceId, idLength),
    address: oneLine(address, addressLength),
    details: text,
  }
}

/** Reads as much of a malformed event as possible. */
function salvage(event: unknown): Draft {
  const [atMs, kind] = [memberOf(event, 'atMs'), memberOf(event, 'kind')]
  const text = (name: keyof AuditEvent, length: number) => {
    const value = memberOf(event, name)
    return typeof value === 'string' ? oneLine(value, length) : null
  }
  return {
    // An entry without a time gets the current one.
    atMs: isTime(atMs) ? atMs : Math.round(performance.timeOrigin + performance.now()),
    kind: isKind(kind) ? kind : 'unknown',
    userId: text('userId', idLength),
    clientId: text('clientId', idLength),
    traceId: text('traceId', idLength),
    address: text('address', addressLength),
    details: withDetail(salvageDetails(memberOf(event, 'details')), 'unformatted', true),
  }
}

const salvagedMembers = 32

function salvageDetails(details: unknown): string {
  let text = '{}'
  for (const name of namesOf(details).slice(0, salvagedMembers)) {
    const value = memberOf(details, name)
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (isPlain) text = withDetail(text, name, value as string | number | boolean)
  }
  return text
}

function namesOf(value: unknown): string[] {
  try {
    return typeof value === 'object' && value !== null ? Object.keys(value) : []
  } catch {
    return []
  }
}

function memberOf(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** Limits a refusal to 512 bytes, and the details of any other entry to 64 KiB. */
function bounded(draft: Draft): Draft {
  const { kind, details } = draft
  // A UTF-16 code unit takes at most three bytes.
  const room = chainOf(kind) === 'refusals' ? refusalBytes - bytesBeside(draft) : detailsBytes
  if (details.length * 3 <= room || Buffer.byteLength(details) <= room) return draft
  const fitted = fitDetail(boundDetail(JSON.parse(details) as Unbounded), room, wholeNames)
  return { ...draft, details: JSON.stringify(fitted) }
}

/** Never cut: they identify the rule that refused. */
const wholeNames: readonly (keyof Detail)[] = ['reason', 'error', 'id', 'unformatted']

/** The fields of every entry: writer, hash and two numbers. */
const fixedBytes = 16 + 43 + 2 * 8

function bytesBeside({ kind, userId, clientId, traceId, address }: Draft): number {
  const texts = [kind, userId, clientId, traceId, address]
  return fixedBytes + texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value)

const isKind = (value: unknown): value is AuditEvent['kind'] =>
  typeof value === 'string' && /^[a-z_]{1,40}$/.test(value)

/** Lengths of an id and of an address, in characters. A trusted proxy may pass on an address as its client wrote it. */
const idLength = 256
const addressLength = 64

/** Matches nearly every field, which then needs no check of each character's category. */
const plain = /^[\x20-\x7e]*$/

/**
 * Returns text that every database can hold, without line breaks, which separate the hashed fields. Throws for anything
 * but text.
 */
function oneLine(text: string | null | undefined, length: number): string | null {
  if (text === null || text === undefined || text === '') return null
  const short = text.slice(0, length)
  return plain.test(short) ? short : short.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
