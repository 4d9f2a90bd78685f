/** Converts mails to rows, which the engines add to the commits they belong to. */
import type { AuditEvents } from '../audit/entry.ts'
import type { QueuedMail } from '../mail/queued-mail.ts'
import { noticeSpanMs } from '../users/mail-limits.ts'
import type { Value } from './sql/statement.ts'
import { columns } from './sql/tables.ts'

export const mailColumns = columns.mails
export const insertMails = `insert into mails (${mailColumns.join(', ')})`

/** What a further notice brings to the mail that stands for it. Whatever was sealed goes with its id. */
const renewed = [
  'id',
  'recipient',
  'content',
  'state',
  'attempts',
  'error',
  'created_at_ms',
  'ends_at_ms',
  'expires_at_ms',
]

/** A further notice of the same kind takes the place of the former, and waits for the end of the span of time. */
export const gatherNotices = `on conflict (notice_key) where notice_key is not null do update set ${[
  ...renewed.map((column) => `${column} = excluded.${column}`),
  `next_at_ms = excluded.next_at_ms - excluded.next_at_ms % ${noticeSpanMs} + ${noticeSpanMs}`,
  'gathered = mails.gathered + 1',
].join(', ')}`

/** In the order of the columns. */
export type MailRow = Value[]

/** Returns the mails of the events. Never throws: an act must not fail because an event is malformed. */
export function mailRowsOf(events: AuditEvents): MailRow[] {
  const mails = events.flatMap(mailsOf)
  // A statement changes a row once.
  const last = new Map(mails.map((mail) => [mail.noticeKey ?? mail.id, mail]))
  return [...last.values()].map(toValues)
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
  const { id, to, userId, purpose, content, createdAtMs, endsAtMs, keptUntilMs, noticeKey = null } = mail
  const times = [createdAtMs, null, createdAtMs, endsAtMs, keptUntilMs]
  return [id, to, userId, purpose, content, 'queued', 0, ...times, noticeKey, 0]
}
