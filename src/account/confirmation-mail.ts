/** Asks for a confirmation by mail: stores it, queues its mail and gives the browser its part. */
import { auditEvent } from '../audit/request-events.ts'
import { makeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import type { SetCookie } from '../http/answer.ts'
import { networkOf } from '../http/log-gate.ts'
import type { Request } from '../http/request.ts'
import { mintConfirmation, unusableHashes } from '../secrets/confirmation-secrets.ts'
import type { Service } from '../service.ts'
import {
  type Confirmation,
  type ConfirmationDetails,
  confirmationEndsAtMs,
  confirmationLink,
  strangersSubject,
  subjectOf,
} from '../users/confirmation.ts'
import { isKnown } from '../users/known-browser.ts'
import type { MailSender } from '../users/mail-limits.ts'
import type { Session, SignedIn } from '../users/session.ts'
import { hasOwnAddress, normalizeName, type User } from '../users/user.ts'
import { mailLanguage, ownLanguage, withNotice } from './notices.ts'

/** `register_existing` and `email_existing`: the address has an account, so there is nothing to confirm. */
type Text = 'register' | 'register_existing' | 'email' | 'email_existing' | 'reset'

/** What is asked for, by a request that is good as far as its form goes. */
type Asking = {
  readonly purpose: 'register' | 'email' | 'reset'
  /** Of it and the purpose, the newest alone works. */
  readonly subject: string
  /** A subject whose request of this purpose ends as well. */
  readonly supersedes?: string
  /** What the limit of mails counts: the address, or what was entered in place of one. */
  readonly recipient: string
  readonly details: ConfirmationDetails
  /** Whom it concerns; undefined: nobody with an account. */
  readonly user: User | undefined
  /** Whose mails the limits count. */
  readonly sender: MailSender
  /** The session in which it is asked for; undefined: whoever asks need not be signed in. */
  readonly begunIn?: Session
  /** Who hears of it at the address of the account; undefined: nobody. */
  readonly tells?: User | undefined
  /** Who is told, and whose account the mail names; undefined: nobody. */
  readonly mail: { readonly to: string; readonly text: Text; readonly about: User | undefined } | undefined
}

/** Asks to confirm the address of a new account, or tells its owner that there is one already. */
export async function askToRegister(
  service: Service,
  request: Request,
  { passwordHash, ...details }: ConfirmationDetails & { readonly email: string },
): Promise<SetCookie> {
  const { email } = details
  const holder = (await service.storage.users.findForSignIn({ name: email }, []))?.user
  return ask(service, request, {
    purpose: 'register',
    subject: subjectOf(email),
    recipient: email,
    sender: strangerIn(request),
    details: { ...details, ...(passwordHash !== undefined && holder === undefined && { passwordHash }) },
    user: holder,
    mail: {
      to: holder?.email ?? email,
      text: holder === undefined ? 'register' : 'register_existing',
      about: holder,
    },
  })
}

/** Tells the owner of an address that somebody tried to register with it, within the limits of mails. */
export async function tellOwner(service: Service, request: Request, email: string): Promise<void> {
  const { clock, mail, storage } = service
  const holder = (await storage.users.findForSignIn({ name: email }, []))?.user
  if (!mail.enabled || holder === undefined || !(await mail.mayAsk(holder.email, strangerIn(request)))) return
  const details = { purpose: 'register', mailed: true }
  const event = auditEvent(request, clock(), 'confirmation_asked', { userId: holder.id }, details)
  const told = {
    to: holder.email,
    language: ownLanguage(service, holder),
    ...contentOf('register_existing', holder),
    link: '/Account/Login',
  }
  await storage.audit.append([mail.withMail(event, told)])
}

/** Asks whoever forgot a password. `entered`: a user name or an e-mail address. */
export async function askToReset(
  service: Service,
  request: Request,
  details: ConfirmationDetails & { readonly entered: string },
): Promise<SetCookie> {
  const { candidate, browserId } = await whoForgot(service, request, details.entered)
  // Without an address of one's own the answer is that for somebody unknown.
  const user = candidate && hasOwnAddress(candidate.user) ? candidate.user : undefined
  const sender: MailSender = browserId === undefined ? strangerIn(request) : { by: 'browser', browserId }
  const subject = user?.id ?? subjectOf(details.entered)
  return ask(service, request, {
    purpose: 'reset',
    sender,
    subject: browserId === undefined ? strangersSubject(subject) : subject,
    ...(browserId !== undefined && { supersedes: strangersSubject(subject) }),
    recipient: user?.email ?? details.entered,
    details,
    user,
    mail: user && { to: user.email, text: 'reset', about: user },
  })
}

/** Finds an account by name or address, and this browser if its owner signed in with it before. */
export async function whoForgot({ clock, device, storage }: Service, request: Request, entered: string) {
  const candidate = await storage.users.findForSignIn({ name: entered }, device.browserIds(request))
  const { user, browser } = candidate ?? {}
  const browserId = user && browser && isKnown(browser, user, clock()) ? browser.id : undefined
  return { candidate, browserId }
}

/** Asks to confirm the new address of an account, or tells the owner of the account that has it. */
export async function askToChangeEmail(
  service: Service,
  request: Request,
  { session, user }: SignedIn,
  details: ConfirmationDetails & { readonly email: string },
): Promise<SetCookie> {
  const { email } = details
  const holder = (await service.storage.users.findForSignIn({ name: email }, []))?.user
  const isFree = holder === undefined || holder.id === user.id
  return ask(service, request, {
    purpose: 'email',
    subject: user.id,
    sender: { by: 'person', userId: user.id },
    recipient: email,
    details: { ...details, formerEmail: user.email },
    user,
    begunIn: session,
    // Nothing has changed yet, and whoever owns the address in use can still prevent it.
    tells: user.emailConfirmed && normalizeName(email) !== normalizeName(user.email) ? user : undefined,
    mail: isFree
      ? { to: email, text: 'email', about: user }
      : { to: holder.email, text: 'email_existing', about: holder },
  })
}

/**
 * Stores the confirmation and queues its mail in one commit. Does the same work whether anybody is told. Over the limit
 * of mails the browser gets a confirmation that nobody can use, and the one that was mailed before stays.
 */
async function ask(service: Service, request: Request, asking: Asking): Promise<SetCookie> {
  const { clock, cookies, mail, random, storage } = service
  const { purpose, recipient, details, user, sender, begunIn, tells } = asking
  const nowMs = clock()
  const secrets = mintConfirmation(nowMs, random)
  const isWithinLimits = await mail.mayAsk(recipient, sender)
  const hasCode = isWithinLimits && (await mail.mayHaveCode(recipient, sender))
  const told = isWithinLimits ? asking.mail : undefined
  const isUsable = told?.text === purpose
  const confirmation: Confirmation = {
    id: secrets.id,
    purpose,
    subject: isWithinLimits ? asking.subject : secrets.id,
    userId: user?.id ?? null,
    // The page does not tell whether the mail has a code: guesses of one that does not exist are answered the same.
    ...unusableHashes(random),
    ...(isUsable && { tokenHash: secrets.tokenHash }),
    ...(isUsable && hasCode && { codeHash: secrets.codeHash }),
    browserHash: secrets.browserHash,
    attempts: 0,
    confirmedAtMs: null,
    details,
    createdAtMs: nowMs,
    expiresAtMs: confirmationEndsAtMs(purpose, nowMs),
    ...(begunIn && { begunBy: begunIn.userId, sessionId: begunIn.id }),
  }
  const entry = { purpose, mailed: told !== undefined }
  const asked = auditEvent(request, nowMs, 'confirmation_asked', { userId: user?.id }, entry)
  const event = tells ? withNotice(service, request, asked, tells, { purpose: 'email_change_asked', data: {} }) : asked
  const carrying =
    told === undefined
      ? event
      : mail.withMail(event, {
          to: told.to,
          language: languageOf(service, request, told),
          ...contentOf(told.text, told.about),
          ...(isUsable && {
            link: confirmationLink(purpose, secrets.token),
            ...(hasCode && { code: secrets.code }),
            validSeconds: (confirmation.expiresAtMs - nowMs) / 1000,
          }),
          ...(told.text === 'register_existing' && { link: '/Account/Login' }),
        })
  await storage.confirmations.put(confirmation, [carrying], isWithinLimits ? asking.supersedes : undefined)
  return makeConfirmationCookie(cookies, purpose, secrets.browserValue)
}

function strangerIn({ address }: Request): MailSender {
  return { by: 'stranger', network: networkOf(address) }
}

/** Whoever has the account did not ask, so that the browser is somebody else's. */
function languageOf(service: Service, request: Request, { text, about }: NonNullable<Asking['mail']>) {
  const isAboutOther = about !== undefined && (text === 'register_existing' || text === 'email_existing')
  return isAboutOther ? ownLanguage(service, about) : mailLanguage(service, request, about)
}

function contentOf(text: Text, user: User | undefined) {
  // Nobody confirmed these addresses yet, so their mails have nothing that a stranger chose.
  if (text === 'register') return { purpose: text }
  if (text === 'email') return { purpose: text }
  return { purpose: text, data: { username: user?.name ?? '' } }
}
