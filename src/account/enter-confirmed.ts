/** Signs in whom a confirmation by mail let in. */
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import type { LocalUrl } from '../users/local-url.ts'
import { type Candidate, isLocked } from '../users/lockout.ts'
import type { SignedIn } from '../users/session.ts'
import { admit } from '../users/sign-in.ts'
import type { User } from '../users/user.ts'
import { accountPage, loginPage } from './form-fields.ts'

/** Signs the user in. Whoever has no password continues on the page that adds a passkey. */
export async function enterConfirmed(
  service: Service,
  request: Request,
  { id, name, passwordHash }: User,
  { former, returnUrl }: { readonly former: SignedIn | undefined; readonly returnUrl: LocalUrl },
): Promise<Answer> {
  const { clock, device, sessions, storage } = service
  const toLogin = (error?: string): Answer =>
    redirect(loginPage(service, error === undefined ? {} : { error }, returnUrl))
  const candidate = await storage.users.findForSignIn({ name }, device.browserIds(request))
  if (candidate === undefined || candidate.user.id !== id) return toLogin()
  // The code or link from a mail is a one-time password (RFC 8176 §2).
  const methods = passwordHash === null ? ['otp'] : ['pwd']
  const entry = sessions.prepare(request, { userId: id, methods, persistent: false })
  const decide = (stored: Candidate) => {
    const nowMs = clock()
    if (isLocked(stored.user, nowMs)) return { outcome: 'locked' as const }
    const event = auditEvent(request, nowMs, 'sign_in', { userId: id }, { method: methods.join(' ') })
    return { ...admit(stored, entry, nowMs), events: [event] }
  }
  const decided = await storage.users.recordSignIn(candidate, decide)
  if (decided?.outcome !== 'signed_in') return toLogin(decided && 'account_locked')
  const cookies = await sessions.start(request, { ...decided, cookieValue: entry.cookieValue }, former)
  service.metrics.signIn('password', 'signed_in')
  const next = passwordHash === null ? accountPage('Register', { passkey: 'true' }, returnUrl) : returnUrl
  return withCookies(redirect(next), cookies)
}
