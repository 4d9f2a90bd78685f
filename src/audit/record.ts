/** The form of an entry in every interface. */
import type { AuditDetails, AuditEntry } from './entry.ts'

/** Names are in snake case and times in ISO 8601, as in every record of the admin API. */
export function auditRecord({
  atMs,
  writer,
  seq,
  kind,
  userId: user_id,
  clientId: client_id,
  traceId: trace_id,
  address,
  details,
  hash,
}: AuditEntry) {
  return {
    at: isoTime(atMs),
    writer,
    seq,
    kind,
    user_id,
    client_id,
    trace_id,
    address,
    details: detailsRecord(details),
    hash,
  }
}

/** `untilMs` becomes `until`, and its number a time. */
export function detailsRecord(details: AuditDetails): AuditDetails {
  const named = Object.entries(details).map(([name, value]): [string, AuditDetails[string]] =>
    name.endsWith('Ms') && typeof value === 'number'
      ? [snakeCase(name.slice(0, -'Ms'.length)), isoTime(value)]
      : [snakeCase(name), value],
  )
  return Object.fromEntries(named)
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A tampered row may hold a number outside the range of dates. */
export const isoTime = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `time ${ms}`)
