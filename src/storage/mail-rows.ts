/** Converts mails to rows, which the engines add to the commits they belong to. */
import type { AuditEvents } from '../audit/entry.ts'
import type { QueuedMail } from '../mail/queued-mail.ts'
import type { Value } from './sql/statement.ts'
import { columns } from './sql/tables.ts'

export const mailColumns = columns.mails
export const insertMails = `insert into mails (${mailColumns.join(', ')})`

/** In the order of the columns. */
export type MailRow = Value[]

/** Returns the mails of the events. Never throws: an act must not fail because an event is malformed. */
export function mailRowsOf(events: AuditEvents): MailRow[] {
  return events.flatMap((event) => mailsOf(event).map(toValues))
}

export const haveMails = (events: AuditEvents): boolean => events.some((event) => mailsOf(event).length > 0)

function mailsOf(event: AuditEvents[number]): readonly QueuedMail[] {
  try {
    return event.mails ?? []
  } catch {
    return []
  }
}

function toValues(mail: QueuedMail): MailRow {
  const { id, to, userId, purpose, content, createdAtMs, endsAtMs, keptUntilMs } = mail
  return [id, to, userId, purpose, content, 'queued', 0, createdAtMs, null, createdAtMs, endsAtMs, keptUntilMs]
}
