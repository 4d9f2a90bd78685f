/**
 * How an event becomes what is stored. Making a draft never throws and never gives what a database refuses, whatever comes
 * in: an act is not undone because its entry could not be written.
 */
import { boundDetail, type Detail, fitDetail, type Unbounded } from '../protocol/refusal-detail.ts'
import { chainOf, withDetail } from './chain.ts'
import type { AuditEvent, StoredAuditEntry } from './entry.ts'

/** An event that has no place in a chain yet. Plain, because it travels between threads. */
export type Draft = Omit<StoredAuditEntry, 'writer' | 'seq' | 'hash'>

/** UTF-8 bytes of an entry that a stranger can cause by being refused, all of its fields together. */
export const refusalBytes = 512
/** UTF-8 bytes of the details of any other. */
const detailsBytes = 65_536

let unformatted = 0

/** Events of this process of which not everything could be read. Their entries have `unformatted: true`. */
export function unformattedEvents(): number {
  return unformatted
}

export function toDraft(event: AuditEvent): Draft {
  try {
    return bounded(format(event))
  } catch {
    unformatted += 1
    return bounded(salvage(event))
  }
}

/** The event as it can be kept until it is written: plain values that nothing can change or refuse any more. */
export function plainEvent(event: AuditEvent): AuditEvent {
  const { kind, details, ...others } = toDraft(event)
  return { ...others, kind: kind as AuditEvent['kind'], details: JSON.parse(details) as AuditEvent['details'] }
}

/** Throws when any member is not what its type says. */
function format({ atMs, kind, userId, clientId, traceId, address, details }: AuditEvent): Draft {
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

/** As much of it as can be read. */
function salvage(event: unknown): Draft {
  const [atMs, kind] = [memberOf(event, 'atMs'), memberOf(event, 'kind')]
  const text = (name: keyof AuditEvent, length: number) => {
    const value = memberOf(event, name)
    return typeof value === 'string' ? oneLine(value, length) : null
  }
  return {
    // By the clock that the process began with, because an entry without a time is one of now.
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

/** A refusal has no more than 512 bytes, any other entry no more than 64 KiB of details. */
function bounded(draft: Draft): Draft {
  const { kind, details } = draft
  // No UTF-16 code unit takes more than three bytes.
  const room = chainOf(kind) === 'refusals' ? refusalBytes - bytesBeside(draft) : detailsBytes
  if (details.length * 3 <= room || Buffer.byteLength(details) <= room) return draft
  const fitted = fitDetail(boundDetail(JSON.parse(details) as Unbounded), room, wholeNames)
  return { ...draft, details: JSON.stringify(fitted) }
}

/** Without them nobody could tell which rule refused. */
const wholeNames: readonly (keyof Detail)[] = ['reason', 'error', 'id', 'unformatted']

/** Writer, hash and two numbers: what every entry has. */
const fixedBytes = 16 + 43 + 2 * 8

function bytesBeside({ kind, userId, clientId, traceId, address }: Draft): number {
  const texts = [kind, userId, clientId, traceId, address]
  return fixedBytes + texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value)

const isKind = (value: unknown): value is AuditEvent['kind'] =>
  typeof value === 'string' && /^[a-z_]{1,40}$/.test(value)

/** Characters of an id, and of an address, which a trusted proxy may have passed on as its client wrote it. */
const idLength = 256
const addressLength = 64

/** What next to every field is made of; a text of it needs no look at each character's category. */
const plain = /^[\x20-\x7e]*$/

/** As every database can hold it, and without the line breaks that part the fields. Throws for what is no text. */
function oneLine(text: string | null | undefined, length: number): string | null {
  if (text === null || text === undefined || text === '') return null
  const short = text.slice(0, length)
  return plain.test(short) ? short : short.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
