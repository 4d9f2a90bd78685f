/**
 * Sends mails from the outbox. The database decides which process makes an attempt. A mail that was refused for good
 * fails at once. Any other is tried again after growing pauses, for a day, and never after its end. A crash between the
 * answer of the mail server and the note of it sends a mail twice.
 */
import type { Logger } from 'pino'
import { eventBy } from '../audit/entry.ts'
import { readFixedBrand } from '../branding/fixed-brand.ts'
import { type KeptBrand, keptBrand } from '../branding/kept-brand.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { loadCatalogue } from '../mail/catalogues.ts'
import { ownFailures } from '../mail/mail-failures.ts'
import { openMail } from '../mail/outgoing.ts'
import { isPurpose, writeMail } from '../mail/rendering.ts'
import { type BrandMembers, defaultName } from '../protocol/branding/brand.ts'
import type { Settings } from '../settings/settings.ts'
import type { DueMail } from '../storage/port/mails.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type MailTransport, mailTransport, NotSent } from './mail-transport.ts'
import { type Outbox, outbox } from './outbox.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The pauses after failed attempts: almost 24 hours together. */
export const mailPausesMs: readonly number[] = [
  ...[15_000, minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 2 * hourMs],
  ...[4, 4, 4, 4, 4].map((hours) => hours * hourMs),
]

/** When an attempt is repeated that a crash interrupted. Longer than an attempt can take. */
export const interruptedMs = 2 * minuteMs

/** Attempts at the same time in this process. */
const atOnce = 4

type GivenUp = 'refused' | 'too_often' | 'too_late' | 'unreadable'

/** Mail servers repeat the address that they refuse. */
const withoutAddress = (reason: string, { to }: DueMail): string => reason.replaceAll(to, '…')

export type MailCounts = { sent: number; failed: number }

export function mailSender(context: {
  readonly storage: Pick<Storage, 'mails' | 'branding'>
  readonly keys: Pick<KeyRing, 'secretById'>
  readonly settings: () => Settings
  readonly clock: () => number
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Counted up: mails that were accepted, and those that were given up. */
  readonly counts: MailCounts
}): Outbox {
  const { storage, keys, settings, clock, log, counts } = context
  const { mails } = storage
  let current: { readonly of: Settings; readonly transport: MailTransport | undefined } | undefined

  /** Returns the transport of the settings as they are now. */
  function transport(): MailTransport | undefined {
    const now = settings()
    if (current?.of !== now) current = { of: now, transport: mailTransport(now) }
    return current.transport
  }

  let branded: { readonly of: Settings; readonly kept: Promise<KeptBrand> } | undefined

  /** Returns the brand in force. Rejects with `UnusableLogo` for a file that was damaged since the settings were read. */
  async function brand(): Promise<BrandMembers> {
    const now = settings()
    if (branded?.of !== now) {
      const kept = readFixedBrand(now).then((fixed) => keptBrand(fixed, storage.branding, clock))
      branded = { of: now, kept }
      kept.catch(() => {
        branded = undefined
      })
    }
    return (await branded.kept).now()
  }

  /** `why`: for the audit trail, which names no address. */
  async function giveUp(mail: DueMail, why: GivenUp, reason: string): Promise<void> {
    const { id, userId, purpose, attempts } = mail
    const nowMs = clock()
    log.warn({ mail: id, purpose, attempts, reason: withoutAddress(reason, mail) }, 'a mail was given up')
    const event = eventBy('service', nowMs, 'mail_failed', { userId }, { mail: id, purpose, attempts, reason: why })
    await mails.fail(id, nowMs, reason, [event])
    counts.failed += 1
  }

  async function attempt(mail: DueMail): Promise<void> {
    const { id, to, content, attempts, endsAtMs, purpose, gathered } = mail
    const by = transport()
    if (by === undefined) return
    const nowMs = clock()
    if (!(await mails.claim(id, attempts, nowMs + interruptedMs))) return
    if (endsAtMs <= nowMs) return giveUp(mail, 'too_late', ownFailures.too_late)
    if (attempts > mailPausesMs.length) return giveUp(mail, 'too_often', ownFailures.interrupted)
    const opened = content === null ? undefined : openMail(keys, { id, to, content })
    if (opened === undefined) return giveUp(mail, 'unreadable', ownFailures.unreadable)
    const begun = { ...mail, attempts: attempts + 1 }
    try {
      const sender = { brand: await brand(), issuer: settings().oauth.issuer }
      const written = writeMail(to, opened, await loadCatalogue(opened.language), sender, gathered)
      await by.send({ ...written, id, to, atMs: nowMs, service: sender.brand.name ?? defaultName })
    } catch (error) {
      return failed(begun, error as Error)
    }
    await mails.sent(id)
    counts.sent += 1
    log.info({ mail: id, purpose, attempt: begun.attempts }, 'a mail was sent')
  }

  async function failed(mail: DueMail, error: Error): Promise<void> {
    const { id, purpose, attempts, endsAtMs } = mail
    const pauseMs = mailPausesMs[attempts - 1]
    const nextAtMs = clock() + (pauseMs ?? 0)
    const isFinal = error instanceof NotSent && error.isPermanent
    if (isFinal) return giveUp(mail, 'refused', error.message)
    if (pauseMs === undefined) return giveUp(mail, 'too_often', error.message)
    if (nextAtMs >= endsAtMs) return giveUp(mail, 'too_late', error.message)
    const reason = withoutAddress(error.message, mail)
    log.warn({ mail: id, purpose, attempt: attempts, reason }, 'a mail could not be sent')
    await mails.postpone(id, nextAtMs, error.message)
  }

  return outbox<DueMail>({
    // A purpose that a newer version introduced is left to it.
    due: async () => {
      if (transport() === undefined) return []
      const { texts } = await loadCatalogue('en')
      return (await mails.due(clock())).filter(({ purpose }) => isPurpose(purpose, texts))
    },
    placeOf: ({ to }) => ({ lane: '', recipient: to }),
    attempt,
    atOnce,
    perLane: atOnce,
    log,
    failure: 'a mail could not be recorded',
  })
}
