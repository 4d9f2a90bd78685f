/** What a code or link by mail brings about, for each purpose. */
import { auditEvent } from '../audit/request-events.ts'
import { makeConfirmationCookie, removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { isRefusal } from '../refusal.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { stepEndsAtMs } from '../users/confirmation.ts'
import { registerConfirmed } from '../users/own-registration.ts'
import { changeEmail, restoreEmail } from './confirmed-email.ts'
import { enterConfirmed } from './enter-confirmed.ts'
import { accountPage, continuesAt, loginPage } from './form-fields.ts'
import { type Presented, tooLate } from './presented-confirmation.ts'

/** Uses the confirmation, which may have been used or replaced meanwhile: the storage verb decides. */
export function afterConfirmation(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { purpose, details } = presented.confirmation
  // A link opened in another browser continues where the request came from.
  const returnUrl = continuesAt(presented.returnUrl, details.returnUrl)
  const known = { ...presented, returnUrl }
  switch (purpose) {
    case 'register':
      return createAccount(service, request, known)
    case 'reset':
      return proceedTo(service, request, known, 'ResetPassword')
    case 'invite':
      return proceedTo(service, request, known, 'Register')
    case 'email':
      return changeEmail(service, request, known)
    case 'undo':
      return restoreEmail(service, request, known)
    case 'signin':
      return Promise.resolve(redirect(accountPage('SecondFactor', {}, returnUrl)))
  }
}

async function createAccount(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { clock, cookies, random, storage } = service
  const { confirmation, isAskingBrowser, former, returnUrl } = presented
  const { email = '', username = '', passwordHash = null } = confirmation.details
  const nowMs = clock()
  const account = { email, username, passwordHash, id: uuidv7(nowMs, random), roles: [] }
  const user = registerConfirmed(account, nowMs)
  if (isRefusal(user)) return tooLate(presented)
  const event = auditEvent(request, nowMs, 'account_registered', { userId: user.id }, { method: 'email' })
  const outcome = await storage.confirmations.register(confirmation.id, user, [event])
  if (outcome === 'name_taken' || outcome === 'name_confusable') {
    // Somebody took the name since. The address is proven, and the form asks for another name.
    return redirect(accountPage('Register', { error: 'username_taken', email, username }, returnUrl))
  }
  if (outcome !== 'created') return tooLate(presented)
  request.log.info({ registered: { user: user.id } }, 'account created')
  if (!isAskingBrowser) return redirect(loginPage(service, {}, returnUrl))
  const answer = await enterConfirmed(service, request, user, { former, returnUrl })
  return withCookies(answer, [removeConfirmationCookie(cookies, 'register')])
}

/** Leaves the next step to this browser, and to no other. */
async function proceedTo(service: Service, request: Request, presented: Presented, page: string): Promise<Answer> {
  const { clock, cookies, random, storage } = service
  const { confirmation, user, returnUrl } = presented
  const { id, purpose } = confirmation
  if (purpose === 'reset' && user === undefined) return tooLate(presented)
  const nowMs = clock()
  const { value, secretHash } = mintOpaque(id, random)
  const isFirst = await storage.confirmations.confirm(id, secretHash, nowMs, stepEndsAtMs(confirmation, nowMs))
  if (!isFirst) return tooLate(presented)
  request.log.info({ confirmed: { purpose, user: user?.id } }, 'confirmed by mail')
  const cookie = makeConfirmationCookie(cookies, purpose, value)
  return withCookies(redirect(accountPage(page, {}, returnUrl)), [cookie])
}
