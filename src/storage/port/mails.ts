/** What is read of the outbox of mails, and of limits. */
import type { QueuedMail } from '../../mail/queued-mail.ts'

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

/** A place that was taken. */
export type Place = { readonly id: string; readonly expiresAtMs: number }
