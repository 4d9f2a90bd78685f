import type { MailRecord } from '../storage/port/mails.ts'
import { isoTime } from '../users/user-record.ts'

/** A mail as JSON, the same in every interface. */
export function mailRecord({ id, to, purpose, state, attempts, nextAtMs, error, createdAtMs }: MailRecord) {
  return {
    ...{ id, to, purpose, state, attempts },
    next_at: nextAtMs === null ? null : isoTime(nextAtMs),
    error,
    created_at: isoTime(createdAtMs),
  }
}
