/** A mail as the outbox takes it. Plain data, because it travels between threads. */
export type QueuedMail = {
  readonly id: string
  /** The address alone. */
  readonly to: string
  /** Whom the mail is about; null: nobody with an account. */
  readonly userId: string | null
  readonly purpose: string
  /** Sealed, because it has codes and links. */
  readonly content: string
  /** In epoch milliseconds, as all times here. */
  readonly createdAtMs: number
  /** From when on it must not be sent any more. */
  readonly endsAtMs: number
  /** How long the record is kept. */
  readonly keptUntilMs: number
  /** Of all notices with the same key the first is sent at once, and one mail stands for the others. Absent: no notice. */
  readonly noticeKey?: string
}
