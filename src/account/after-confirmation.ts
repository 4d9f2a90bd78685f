/** What a code or link by mail brings about, for each purpose. */
import { passwordDetail } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { makeConfirmationCookie, removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { isRefusal } from '../refusal.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { keptReturnUrl, stepEndsAtMs } from '../users/confirmation.ts'
import { registerConfirmed } from '../users/own-registration.ts'
import { noAttributes } from '../users/user-attributes.ts'
import { changeEmail, restoreEmail } from './confirmed-email.ts'
import { enterConfirmed } from './enter-confirmed.ts'
import { accountPage, loginPage } from './form-fields.ts'
import { registrationLanguage } from './notices.ts'
import { continuesFor, type Presented, tooLate } from './presented-confirmation.ts'
import { withoutRefusedValues } from './registration-fields.ts'

/** Uses the confirmation, which may have been used or replaced meanwhile: the storage verb decides. */
export function afterConfirmation(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { confirmation, isAskingBrowser } = presented
  const { purpose } = confirmation
  const returnUrl = continuesFor(confirmation, isAskingBrowser, presented.returnUrl)
  const known = { ...presented, returnUrl }
  switch (purpose) {
    case 'register':
      return createAccount(service, request, known)
    case 'reset':
      return proceedTo(service, request, known, 'ResetPassword')
    case 'invite':
      return proceedTo(service, request, known, 'Register')
    case 'setup':
      return proceedTo(service, request, known, 'SetUp')
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
  const { email = '', username = '', passwordHash = null, attributes = noAttributes } = confirmation.details
  const nowMs = clock()
  const locale = registrationLanguage(service, request)
  const account = { email, username, passwordHash, id: uuidv7(nowMs, random), roles: [], locale, attributes }
  const registered = registerConfirmed(account, nowMs)
  if (isRefusal(registered)) return tooLate(presented)
  // Whoever opened the link may not be who chose the password.
  const user = isAskingBrowser ? registered : { ...registered, isUnclaimed: true as const }
  const event = auditEvent(
    request,
    nowMs,
    'account_registered',
    { userId: user.id },
    {
      method: 'email',
      ...passwordDetail(user),
    },
  )
  const outcome = await withoutRefusedValues(user, (one) =>
    storage.confirmations.register(confirmation.id, one, [event]),
  )
  if (outcome === 'name_taken' || outcome === 'name_confusable') {
    // Somebody took the name since. The address is proven, and the form asks for another name.
    return redirect(accountPage('Register', { error: 'username_taken', email, username }, returnUrl))
  }
  if (outcome !== 'created') return tooLate(presented)
  request.log.info({ registered: { user: user.id } }, 'account created')
  if (!isAskingBrowser) return redirect(loginPage(service, {}, returnUrl))
  const answer = await enterConfirmed(service, request, user, { former, returnUrl, isRegistration: true })
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
  // The step is this browser's from here on, and so is where it leads.
  const { returnUrl: _, ...asked } = confirmation.details
  const kept = keptReturnUrl(returnUrl)
  const details = kept === undefined ? asked : { ...asked, returnUrl: kept }
  const endsAtMs = stepEndsAtMs(confirmation, nowMs)
  const isFirst = await storage.confirmations.confirm(id, secretHash, nowMs, endsAtMs, [], details)
  if (!isFirst) return tooLate(presented)
  request.log.info({ confirmed: { purpose, user: user?.id } }, 'confirmed by mail')
  const cookie = makeConfirmationCookie(cookies, purpose, value)
  return withCookies(redirect(accountPage(page, {}, returnUrl)), [cookie])
}
