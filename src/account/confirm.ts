/** `POST /Account/Confirm`: uses the code or the link of a mail, or sends a new one. */
import { auditEvent } from '../audit/request-events.ts'
import { isBrowserOf, readConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, type SetCookie, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { senderOf, standingOf } from '../mail/inviter.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { codeMatches } from '../secrets/confirmation-secrets.ts'
import { parseOpaque, secretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import {
  type Confirmation,
  type ConfirmationPurpose,
  enteredCode,
  type FoundConfirmation,
  isConfirmationPurpose,
  isConfirmed,
  isPending,
  maxCodeAttempts,
} from '../users/confirmation.ts'
import type { LocalUrl } from '../users/local-url.ts'
import type { SignedIn } from '../users/session.ts'
import { afterConfirmation } from './after-confirmation.ts'
import { refuseSurplus } from './confirmation-budget.ts'
import { askToChangeEmail, askToRegister, askToReset, askToVerify, whoForgot } from './confirmation-mail.ts'
import { accountPage, loginPage, readFields } from './form-fields.ts'
import { findHalf } from './half-finished.ts'
import { readPostedForm } from './posted-form.ts'
import { continuesFor } from './presented-confirmation.ts'
import { confirmSignIn } from './sign-in-code.ts'

export function confirm(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readFields(posted.form, ['purpose', 'code', 'token', 'resend'])
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const purpose = fields.text('purpose')
    if (!isConfirmationPurpose(purpose)) {
      return answers.refuseReadably(request, refuse('parameter_malformed', 'purpose', { received: purpose }))
    }
    if (purpose === 'signin') return confirmSignIn(service, request, fields)
    if (fields.has('resend')) return sendAgain(service, request, purpose, fields.returnUrl, posted.signedIn)

    // decide
    const token = fields.text('token')
    const presented = await (token === ''
      ? proveCode(service, request, purpose, fields.text('code'))
      : proveToken(service, request, purpose, token))
    if ('error' in presented) {
      const { error, over } = presented
      const continued =
        over === undefined ? fields.returnUrl : continuesFor(over.confirmation, over.isAskingBrowser, fields.returnUrl)
      const step = await openStep(service, request, purpose)
      return redirect(step ? accountPage(step, {}, continued) : accountPage('Confirm', { purpose, error }, continued))
    }

    // commit and answer
    return afterConfirmation(service, request, { ...presented, former: posted.signedIn, returnUrl: fields.returnUrl })
  }
}

type Presented = FoundConfirmation & { readonly isAskingBrowser: boolean }
/** `over`: a link that was right once. */
type Refused = {
  readonly error: 'code_invalid' | 'too_many_attempts'
  readonly over?: { readonly confirmation: Confirmation; readonly isAskingBrowser: boolean }
}

const invalid: Refused = { error: 'code_invalid' }
const spent: Refused = { error: 'too_many_attempts' }

/** A link works in any browser. */
async function proveToken(
  service: Service,
  request: Request,
  purpose: ConfirmationPurpose,
  token: string,
): Promise<Presented | Refused> {
  const { clock, cookies, storage } = service
  const parts = parseOpaque(token)
  const found = parts && (await storage.confirmations.find(parts.id))
  if (parts === undefined || found === undefined) return invalid
  const { confirmation } = found
  if (!secretMatches(parts.secretHash, confirmation.tokenHash)) return invalid
  const cookie = readConfirmationCookie(cookies, request, purpose)
  const isAskingBrowser = cookie !== undefined && isBrowserOf(cookie, confirmation)
  if (!isPending(confirmation, purpose, clock())) return { ...invalid, over: { confirmation, isAskingBrowser } }
  if (purpose === 'invite' && !(await standingOf(service, confirmation)).stands) return invalid
  if (purpose === 'reset' && found.user && !(await senderOf(service, confirmation)).covers(found.user)) return invalid
  if (purpose === 'setup' && !(await storage.setUp.isOpen())) return invalid
  return { ...found, isAskingBrowser }
}

/** A code works in the browser that asked, and is counted before it is compared. */
async function proveCode(
  { clock, cookies, storage }: Service,
  request: Request,
  purpose: ConfirmationPurpose,
  entered: string,
): Promise<Presented | Refused> {
  const code = enteredCode(entered)
  const cookie = readConfirmationCookie(cookies, request, purpose)
  if (code === undefined || cookie === undefined) return invalid
  const found = await storage.confirmations.find(cookie.id)
  if (found === undefined || !isBrowserOf(cookie, found.confirmation)) return invalid
  const { confirmation } = found
  if (!isPending(confirmation, purpose, clock()) || confirmation.codeHash === null) return invalid
  if (confirmation.attempts >= maxCodeAttempts) return spent
  if (!(await storage.confirmations.countAttempt(confirmation.id))) return spent
  if (codeMatches(cookie.secret, confirmation.id, code, confirmation.codeHash)) {
    return { ...found, isAskingBrowser: true }
  }
  const details = { purpose, attempt: confirmation.attempts + 1 }
  const userId = confirmation.userId ?? undefined
  storage.audit.note(auditEvent(request, clock(), 'confirmation_failed', { userId }, details))
  return invalid
}

const stepPages: Readonly<Partial<Record<ConfirmationPurpose, string>>> = {
  reset: 'ResetPassword',
  invite: 'Register',
  setup: 'SetUp',
}

/** The page of the step that this browser has opened and not finished: somebody came back by hand, and goes on. */
async function openStep(
  { clock, cookies, storage }: Service,
  request: Request,
  purpose: ConfirmationPurpose,
): Promise<string | undefined> {
  const page = stepPages[purpose]
  const cookie = page === undefined ? undefined : readConfirmationCookie(cookies, request, purpose)
  const confirmation = cookie && (await storage.confirmations.find(cookie.id))?.confirmation
  if (cookie === undefined || confirmation === undefined || !isBrowserOf(cookie, confirmation)) return undefined
  return isConfirmed(confirmation, purpose, clock()) ? page : undefined
}

/** Where to ask again in a browser that asked for nothing. */
const startPages: Readonly<Partial<Record<ConfirmationPurpose, string>>> = {
  register: 'Register',
  reset: 'ForgotPassword',
  email: 'Profile',
}

/** Sends what was asked for in this browser once more, and ends the former code and link. */
async function sendAgain(
  service: Service,
  request: Request,
  purpose: ConfirmationPurpose,
  returnUrl: LocalUrl,
  signedIn: SignedIn | undefined,
): Promise<Answer> {
  const { cookies, storage } = service
  // Another tab has finished the registration, and signed in.
  const isDone = purpose === 'register' && signedIn !== undefined
  const startAnew = redirect(
    isDone ? loginPage(service, {}, returnUrl) : accountPage(startPages[purpose] ?? 'Login', {}, returnUrl),
  )
  const cookie = readConfirmationCookie(cookies, request, purpose)
  const found = cookie && (await storage.confirmations.find(cookie.id))
  if (cookie === undefined || found === undefined || !isBrowserOf(cookie, found.confirmation)) return startAnew
  const { confirmation, user } = found
  const { details, confirmedAtMs } = confirmation
  const { email, entered } = details
  // An expired one is sent again as well. What was used already begins anew.
  if (confirmation.purpose !== purpose || confirmedAtMs !== null) return startAnew
  const knownHere = async () =>
    entered === undefined ? signedIn?.user.id : (await whoForgot(service, request, entered)).browserId
  const surplus = await refuseSurplus(service, request, knownHere)
  if (surplus !== undefined) return surplus
  let made: SetCookie
  if (purpose === 'register' && email !== undefined) made = await askToRegister(service, request, { ...details, email })
  else if (purpose === 'reset' && entered !== undefined)
    made = await askToReset(service, request, { ...details, entered })
  else if (purpose === 'email' && email !== undefined && signedIn !== undefined && signedIn.user.id === user?.id) {
    made = await askToChangeEmail(service, request, signedIn, { ...details, email })
  } else {
    const held = purpose === 'email' ? await findHalf(service, request) : undefined
    if (held?.half.purpose !== 'verify_email' || held.half.userId !== user?.id) return startAnew
    made = await askToVerify(service, request, held.candidate, held.half.returnUrl)
    return withCookies(redirect(accountPage('Confirm', { purpose, step: 'verify_email', sent: 'true' }, returnUrl)), [
      made,
    ])
  }
  return withCookies(redirect(accountPage('Confirm', { purpose, sent: 'true' }, returnUrl)), [made])
}
