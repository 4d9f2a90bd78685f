/** Asks for a confirmation by mail: stores it, queues its mail and gives the browser its part. */
import { auditEvent } from '../audit/request-events.ts'
import { makeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import type { SetCookie } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { mintConfirmation, unusableHashes } from '../secrets/confirmation-secrets.ts'
import type { Service } from '../service.ts'
import {
  type Confirmation,
  type ConfirmationDetails,
  confirmationEndsAtMs,
  confirmationLink,
  subjectOf,
} from '../users/confirmation.ts'
import { isKnown } from '../users/known-browser.ts'
import type { User } from '../users/user.ts'
import { mailLanguage } from './notices.ts'

/** `register_existing` and `email_existing`: the address has an account, so there is nothing to confirm. */
type Text = 'register' | 'register_existing' | 'email' | 'email_existing' | 'reset'

/** What is asked for, by a request that is good as far as its form goes. */
type Asking = {
  readonly purpose: 'register' | 'email' | 'reset'
  /** Of it and the purpose, the newest alone works. */
  readonly subject: string
  /** What the limit of mails counts: the address, or what was entered in place of one. */
  readonly recipient: string
  readonly details: ConfirmationDetails
  /** Whom it concerns; undefined: nobody with an account. */
  readonly user: User | undefined
  /** The id of this browser if the user signed in with it before; undefined: a stranger. */
  readonly browserId?: string | undefined
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
    details: { ...details, ...(passwordHash !== undefined && holder === undefined && { passwordHash }) },
    user: holder,
    mail: {
      to: holder?.email ?? email,
      text: holder === undefined ? 'register' : 'register_existing',
      about: holder,
    },
  })
}

/** Asks whoever forgot a password. `entered`: a user name or an e-mail address. */
export async function askToReset(
  service: Service,
  request: Request,
  details: ConfirmationDetails & { readonly entered: string },
): Promise<SetCookie> {
  const { candidate, browserId } = await whoForgot(service, request, details.entered)
  const user = candidate?.user
  return ask(service, request, {
    purpose: 'reset',
    browserId,
    subject: user?.id ?? subjectOf(details.entered),
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
  user: User,
  details: ConfirmationDetails & { readonly email: string },
): Promise<SetCookie> {
  const { email } = details
  const holder = (await service.storage.users.findForSignIn({ name: email }, []))?.user
  const isFree = holder === undefined || holder.id === user.id
  return ask(service, request, {
    purpose: 'email',
    subject: user.id,
    recipient: email,
    details,
    user,
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
  const { purpose, recipient, details, user, browserId } = asking
  const nowMs = clock()
  const secrets = mintConfirmation(nowMs, random)
  const isWithinLimits = await mail.mayAsk(recipient, request.address, browserId)
  const hasCode = isWithinLimits && (await mail.mayHaveCode(recipient, browserId))
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
  }
  const event = auditEvent(
    request,
    nowMs,
    'confirmation_asked',
    { userId: user?.id },
    { purpose, mailed: told !== undefined },
  )
  const carrying =
    told === undefined
      ? event
      : mail.withMail(event, {
          to: told.to,
          language: mailLanguage(service, request, told.about),
          ...contentOf(told.text, told.about),
          ...(isUsable && {
            link: confirmationLink(purpose, secrets.token),
            ...(hasCode && { code: secrets.code }),
            validSeconds: (confirmation.expiresAtMs - nowMs) / 1000,
          }),
          ...(told.text === 'register_existing' && { link: '/Account/Login' }),
        })
  await storage.confirmations.put(confirmation, [carrying])
  return makeConfirmationCookie(cookies, purpose, secrets.browserValue)
}

function contentOf(text: Text, user: User | undefined) {
  // Nobody confirmed these addresses yet, so their mails have nothing that a stranger chose.
  if (text === 'register') return { purpose: text }
  if (text === 'email') return { purpose: text }
  return { purpose: text, data: { username: user?.name ?? '' } }
}
