/**
 * Mails to people. What causes a mail queues it in its own commit, and a sender (`server/mail-sender.ts`) delivers it:
 *
 *     const event = auditEvent(request, nowMs, 'password_reset_asked', { userId })
 *     const mailing = service.mail.withMail(event, { to: user.email, purpose: 'reset', language, link, code, validSeconds })
 *     await storage.….someVerb(…, [mailing])
 *
 * Every verb of the storage port that takes audit events takes such an event, and queues its mails if and only if it
 * stores the event. An event without another change is stored by `storage.audit.append`. `storage.audit.note` takes no
 * mails. Without `Mail:Url` (`service.mail.enabled` is false) `withMail` returns the event as it is, so callers need no
 * condition. A new purpose is an entry in `messages/`; the type of its `data` follows from the placeholders there.
 *
 * Text that whoever acts can choose does not belong into a mail, such as the name of a passkey: it may be somebody
 * else's message to the owner. The user name stands in mails to an address that was confirmed for it alone.
 *
 * Belongs here: what a mail is about and its form.
 * Belongs elsewhere: its texts (`messages/`), when a mail is due and how it leaves (`server/`), its record (`storage/`), who may be sent one
 * (`users/mail-limits.ts`).
 */

import type { Message, Messages } from '#messages'
import type { LanguageTag } from '../protocol/language-tags.ts'

type Source = Messages['mail']['mails']

/** The members of the catalogue. */
export type Purpose = keyof Source

/** A time in the reader's way of writing, in UTC; or a duration. */
export type MailValue = string | { readonly atMs: number } | { readonly seconds: number }

/** Placeholders that every text may have. */
type Common = 'service' | 'host' | 'to'

type NamesIn<Text> = Text extends Message<infer Names, infer _> ? Names : never
type CountsIn<Text> = Text extends Message<infer _, infer Counts> ? Counts : never

type TextsOf<P extends Purpose> = Source[P]['subject'] | Source[P]['paragraphs'][number]

/** What the texts of a purpose name, beyond the common placeholders. What chooses a plural form is a number in digits. */
export type DataOf<P extends Purpose> = {
  readonly [Name in Exclude<NamesIn<TextsOf<P>>, Common>]: MailValue
} & { readonly [Name in CountsIn<TextsOf<P>>]: string }

/** Where something happened, for a notice. */
export type MailFacts = {
  readonly atMs: number
  /** The browser and its system, in words. */
  readonly browser?: string | undefined
  /** The network address. */
  readonly address?: string | undefined
}

export type MailParts = {
  /** The address alone. Empty: nothing is sent. */
  readonly to: string
  readonly language: LanguageTag
  /** A path of this service, with the token in the fragment: `/Account/Confirm?purpose=reset#token=…`. */
  readonly link?: string | undefined
  readonly code?: string | undefined
  /** How long link and code work, in seconds from now; the mail says so and is not sent later. */
  readonly validSeconds?: number | undefined
  readonly facts?: MailFacts | undefined
  /** Tells what happened to an account: several of a kind within minutes become one mail. */
  readonly isNotice?: boolean
}

type MailFor<P extends Purpose> = MailParts & { readonly purpose: P } & (keyof DataOf<P> extends never
    ? { readonly data?: undefined }
    : { readonly data: DataOf<P> })

export type Mail = { [P in Purpose]: MailFor<P> }[Purpose]

/** What is sealed in the outbox: a mail without its recipient, who must be that of the record. */
export type MailContent = Omit<MailParts, 'to' | 'isNotice'> & {
  readonly purpose: string
  readonly data?: Readonly<Record<string, MailValue>> | undefined
}
