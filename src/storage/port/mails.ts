/**
 * The outbox of mails. It is filled by the commits whose audit events have mails (`withMail` in `src/mail/`). Of notices
 * with the same key the first is due at once; one mail stands for the others, and is due at the end of ten minutes. The record
 * of a mail stays for a while after it was sent, without its content.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import type { QueuedMail } from '../../mail/queued-mail.ts'
import type { MailLimit } from '../../users/mail-limits.ts'

/** A mail that may be sent now. */
export type DueMail = Pick<QueuedMail, 'id' | 'to' | 'userId' | 'purpose' | 'endsAtMs'> & {
  /** Null if the record is damaged. */
  readonly content: string | null
  /** Attempts that began. */
  readonly attempts: number
  /** For how many more notices of the same kind it stands. */
  readonly gathered: number
}

export type MailState = 'queued' | 'sent' | 'failed'

export type MailRecord = Omit<DueMail, 'content' | 'gathered'> & {
  readonly state: MailState
  /** Null unless queued. */
  readonly nextAtMs: number | null
  /** Why the last attempt failed; null: it did not. */
  readonly error: string | null
  readonly createdAtMs: number
}

export type Mails = {
  /** Returns mails that are due, a bounded number, longest due first. */
  due(nowMs: number): Promise<DueMail[]>
  /**
   * Begins the attempt after the first `attempts`. True for exactly one of any number of processes. The mail is due again
   * at `nextAtMs`, unless it is finished before: an attempt that a crash interrupted is repeated.
   */
  claim(id: string, attempts: number, nextAtMs: number): Promise<boolean>
  /** Ends a queued mail that was accepted. Erases its content. */
  sent(id: string): Promise<void>
  /** Notes why an attempt failed, and when the next may begin. */
  postpone(id: string, nextAtMs: number, error: string): Promise<void>
  /** Ends a queued mail that is given up. Erases its content if it can never be sent any more. */
  fail(id: string, nowMs: number, error: string, events?: AuditEvents): Promise<void>
  /** Returns the newest 1,000 records, newest first. */
  list(): Promise<MailRecord[]>
  /** Returns how many mails are queued. */
  countQueued(): Promise<number>
  find(id: string): Promise<MailRecord | undefined>
  /** Queues a failed mail again, as new. False if it is not failed, or can never be sent any more. */
  retry(id: string, nowMs: number, events?: AuditEvents): Promise<boolean>
  /**
   * Takes one place of each limit, or none. False if one of them has no place left. Of requests that race, no more
   * succeed than there are places.
   */
  takePlaces(limits: readonly MailLimit[], nowMs: number): Promise<boolean>
  /** Whether each limit has a place left. */
  hasPlaces(limits: readonly MailLimit[], nowMs: number): Promise<boolean>
}
