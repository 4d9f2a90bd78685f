/** Attaches mails to audit events, sealed for the outbox. */
import type { AuditEvents, MailingEvent } from '../audit/entry.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { sealText, unsealText } from '../secrets/sealed.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import {
  codeLimits,
  type MailSender,
  mailLimits,
  noticeSpanMs,
  type OperatorMail,
  operatorLimits,
} from '../users/mail-limits.ts'
import { normalizeName } from '../users/user.ts'
import type { Mail, MailContent } from './mail.ts'
import type { QueuedMail } from './queued-mail.ts'

type Carrying = AuditEvents[number]

export type OutgoingMail = {
  /** Whether `Mail:Url` is set. */
  readonly enabled: boolean
  /** Returns the event with the mail, besides those it has. See `mail.ts`. */
  withMail(event: Carrying, mail: Mail): Carrying
  /**
   * Takes a place of the limits in `users/mail-limits.ts`, to the address `to`. False: over the limit, and no mail may
   * leave. Called once for a mail that a request asks for, whether or not the address belongs to anybody, so that the
   * answer takes the same time. Notices do not ask.
   */
  mayAsk(to: string, sender: MailSender): Promise<boolean>
  /** Takes a place for a mail with a code. False: the mail has a link alone. */
  mayHaveCode(to: string, sender: MailSender): Promise<boolean>
  /** Takes a place for a mail that a call of the admin API causes. False: over the limit. */
  mayOperatorSend(to: string, kind: OperatorMail): Promise<boolean>
}

const dayMs = 24 * 3_600_000
/** How long a mail without a time of its own may wait to be sent, retries by an operator included. */
const sentWithinMs = 7 * dayMs
/** How long the record of a mail is kept after the last time it could be sent. */
const keptMs = 7 * dayMs

const label = 'mail'

export function outgoingMail(context: {
  readonly settings: Pick<Settings, 'mail'>
  readonly keys: Pick<KeyRing, 'secret'>
  readonly storage: Pick<Storage, 'mails'>
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
}): OutgoingMail {
  const { settings, keys, storage, clock, random } = context
  const enabled = settings.mail.url !== null

  function queued({ to, isNotice = false, ...mail }: Mail, userId: string | null): QueuedMail {
    const createdAtMs = clock()
    const id = uuidv7(createdAtMs, random)
    const content: MailContent = mail
    const endsAtMs = createdAtMs + (mail.validSeconds === undefined ? sentWithinMs : mail.validSeconds * 1000)
    return {
      id,
      to,
      userId,
      purpose: mail.purpose,
      // With id and recipient, so that the content of one row cannot be moved to another.
      content: sealText(keys, 'mail', label, JSON.stringify([id, to, content]), random),
      createdAtMs,
      endsAtMs,
      keptUntilMs: endsAtMs + keptMs,
      ...(isNotice && { noticeKey: `${userId} ${mail.purpose} ${Math.floor(createdAtMs / noticeSpanMs)}` }),
    }
  }

  return {
    enabled,
    withMail(event, mail): Carrying {
      if (!enabled || mail.to === '') return event
      const carrying: MailingEvent = { ...event, mails: [...(event.mails ?? []), queued(mail, event.userId)] }
      return carrying
    },
    mayAsk: (to, sender) => storage.mails.takePlaces(mailLimits(normalizeName(to), sender), clock()),
    mayHaveCode: (to, sender) => storage.mails.takePlaces(codeLimits(normalizeName(to), sender), clock()),
    mayOperatorSend: (to, kind) => storage.mails.takePlaces(operatorLimits(normalizeName(to), kind), clock()),
  }
}

/** Returns the content of a queued mail; undefined: it was not sealed by this service for this record. */
export function openMail(
  keys: Pick<KeyRing, 'secretById'>,
  { id, to, content }: Pick<QueuedMail, 'id' | 'to' | 'content'>,
): MailContent | undefined {
  const text = unsealText(keys, 'mail', label, content)
  if (text === undefined) return undefined
  const [ofId, ofRecipient, opened] = JSON.parse(text) as [string, string, MailContent]
  return ofId === id && ofRecipient === to ? opened : undefined
}
