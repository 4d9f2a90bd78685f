/** The form of an entry in every interface. */
import type { AuditEntry } from './entry.ts'

export function auditRecord({
  atMs,
  writer,
  seq,
  kind,
  userId,
  clientId,
  traceId,
  address,
  details,
  hash,
}: AuditEntry) {
  return { at: isoTime(atMs), writer, seq, kind, userId, clientId, traceId, address, details, hash }
}

/** A tampered row may hold a number outside the range of dates. */
export const isoTime = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `time ${ms}`)
