/** Signs in whom a confirmation by mail let in. */
import { type Answer, redirect } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import { type LocalUrl, localUrlOrRoot } from '../users/local-url.ts'
import type { SignedIn } from '../users/session.ts'
import type { User } from '../users/user.ts'
import { enter } from './enter.ts'
import { accountPage, loginPage } from './form-fields.ts'

/**
 * Signs the user in, or asks for the second factor first. `byMail`: the password was reset. `standIn`: an operator vouches for the person. `isRegistration`: the account
 * was registered in this browser just now. Whoever has no password
 * continues on the page that adds a passkey.
 */
export async function enterConfirmed(
  service: Service,
  request: Request,
  { id, name, passwordHash }: User,
  {
    former,
    returnUrl,
    byMail = false,
    standIn,
    isRegistration = false,
  }: {
    readonly former: SignedIn | undefined
    readonly returnUrl: LocalUrl
    readonly byMail?: boolean
    readonly standIn?: boolean
    readonly isRegistration?: boolean
  },
): Promise<Answer> {
  const { device, metrics, storage } = service
  const toLogin = (error?: string): Answer =>
    redirect(loginPage(service, error === undefined ? {} : { error }, returnUrl))
  const candidate = await storage.users.findForSignIn({ name }, device.browserIds(request))
  if (candidate === undefined || candidate.user.id !== id) return toLogin()
  const next = passwordHash === null ? accountPage('Register', { passkey: 'true' }, returnUrl) : returnUrl
  const entered = await enter(service, request, candidate, {
    // The code or link from a mail is a one-time password (RFC 8176 §2).
    methods: passwordHash === null ? ['otp'] : ['pwd'],
    persistent: false,
    // Without a password, the mailbox is all that was proved.
    byMail: byMail || passwordHash === null,
    standIn,
    isRegistration,
    former,
    returnUrl: localUrlOrRoot(next),
    first: 'password',
  })
  if ('answer' in entered) {
    metrics.signIn('password', entered.outcome === 'signed_in' ? 'signed_in' : 'second_factor')
    return entered.answer
  }
  if (entered.outcome === undefined) return toLogin()
  return toLogin(refusals[entered.outcome])
}

const refusals = {
  locked: 'account_locked',
  not_allowed: 'account_not_allowed',
  needs_help: 'account_needs_help',
} as const
