/** `POST /Account/Confirm`: uses the code or the link of a mail, or sends a new one. */
import { auditEvent } from '../audit/request-events.ts'
import { isBrowserOf, readConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, type SetCookie, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { codeMatches } from '../secrets/confirmation-secrets.ts'
import { parseOpaque, secretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import {
  type ConfirmationPurpose,
  enteredCode,
  type FoundConfirmation,
  isConfirmationPurpose,
  isPending,
  maxCodeAttempts,
} from '../users/confirmation.ts'
import type { LocalUrl } from '../users/local-url.ts'
import { afterConfirmation } from './after-confirmation.ts'
import { refuseSurplus } from './confirmation-budget.ts'
import { askToChangeEmail, askToRegister, askToReset } from './confirmation-mail.ts'
import { accountPage, readFields } from './form-fields.ts'
import { readPostedForm } from './posted-form.ts'

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
    if (purpose === 'signin') return redirect(accountPage('SecondFactor', {}, fields.returnUrl))
    if (fields.has('resend')) return sendAgain(service, request, purpose, fields.returnUrl)

    // decide
    const token = fields.text('token')
    const presented = await (token === ''
      ? proveCode(service, request, purpose, fields.text('code'))
      : proveToken(service, request, purpose, token))
    if (typeof presented === 'string') {
      return redirect(accountPage('Confirm', { purpose, error: presented }, fields.returnUrl))
    }

    // commit and answer
    return afterConfirmation(service, request, { ...presented, former: posted.signedIn, returnUrl: fields.returnUrl })
  }
}

type Presented = FoundConfirmation & { readonly isAskingBrowser: boolean }
type CodeError = 'code_invalid' | 'too_many_attempts'

/** A link works in any browser. */
async function proveToken(
  { clock, cookies, storage }: Service,
  request: Request,
  purpose: ConfirmationPurpose,
  token: string,
): Promise<Presented | CodeError> {
  const parts = parseOpaque(token)
  const found = parts && (await storage.confirmations.find(parts.id))
  if (parts === undefined || found === undefined) return 'code_invalid'
  const { confirmation } = found
  const matches = secretMatches(parts.secretHash, confirmation.tokenHash)
  if (!matches || !isPending(confirmation, purpose, clock())) return 'code_invalid'
  const cookie = readConfirmationCookie(cookies, request, purpose)
  return { ...found, isAskingBrowser: cookie !== undefined && isBrowserOf(cookie, confirmation) }
}

/** A code works in the browser that asked, and is counted before it is compared. */
async function proveCode(
  { clock, cookies, storage }: Service,
  request: Request,
  purpose: ConfirmationPurpose,
  entered: string,
): Promise<Presented | CodeError> {
  const code = enteredCode(entered)
  const cookie = readConfirmationCookie(cookies, request, purpose)
  if (code === undefined || cookie === undefined) return 'code_invalid'
  const found = await storage.confirmations.find(cookie.id)
  if (found === undefined || !isBrowserOf(cookie, found.confirmation)) return 'code_invalid'
  const { confirmation } = found
  if (!isPending(confirmation, purpose, clock()) || confirmation.codeHash === null) return 'code_invalid'
  if (confirmation.attempts >= maxCodeAttempts) return 'too_many_attempts'
  if (!(await storage.confirmations.countAttempt(confirmation.id))) return 'too_many_attempts'
  if (codeMatches(cookie.secret, confirmation.id, code, confirmation.codeHash)) {
    return { ...found, isAskingBrowser: true }
  }
  const details = { purpose, attempt: confirmation.attempts + 1 }
  const userId = confirmation.userId ?? undefined
  storage.audit.note(auditEvent(request, clock(), 'confirmation_failed', { userId }, details))
  return 'code_invalid'
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
): Promise<Answer> {
  const { cookies, storage } = service
  const startAnew = redirect(accountPage(startPages[purpose] ?? 'Login', {}, returnUrl))
  const cookie = readConfirmationCookie(cookies, request, purpose)
  const found = cookie && (await storage.confirmations.find(cookie.id))
  if (cookie === undefined || found === undefined || !isBrowserOf(cookie, found.confirmation)) return startAnew
  const { confirmation, user } = found
  const { details, confirmedAtMs } = confirmation
  const { email, entered } = details
  // An expired one is sent again as well. What was used already begins anew.
  if (confirmation.purpose !== purpose || confirmedAtMs !== null) return startAnew
  const surplus = refuseSurplus(service, request)
  if (surplus !== undefined) return surplus
  let made: SetCookie
  if (purpose === 'register' && email !== undefined) made = await askToRegister(service, request, { ...details, email })
  else if (purpose === 'reset' && entered !== undefined)
    made = await askToReset(service, request, { ...details, entered })
  else if (purpose === 'email' && email !== undefined && user !== undefined) {
    made = await askToChangeEmail(service, request, user, { ...details, email })
  } else return startAnew
  return withCookies(redirect(accountPage('Confirm', { purpose, sent: 'true' }, returnUrl)), [made])
}
