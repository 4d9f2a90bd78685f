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
 * was registered in this browser just now. `passkeyMethods`: those of the passkey that came with it. Whoever has neither
 * passkey nor password
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
    passkeyMethods,
  }: {
    readonly former: SignedIn | undefined
    readonly returnUrl: LocalUrl
    readonly byMail?: boolean
    readonly standIn?: boolean
    readonly isRegistration?: boolean
    readonly passkeyMethods?: readonly string[]
  },
): Promise<Answer> {
  const { device, metrics, storage } = service
  const toLogin = (error?: string): Answer =>
    redirect(loginPage(service, error === undefined ? {} : { error }, returnUrl))
  const candidate = await storage.users.findForSignIn({ name }, device.browserIds(request))
  if (candidate === undefined || candidate.user.id !== id) return toLogin()
  const isByCode = passwordHash === null && passkeyMethods === undefined
  const next = isByCode ? accountPage('Register', { passkey: 'true' }, returnUrl) : returnUrl
  const entered = await enter(service, request, candidate, {
    // The code or link from a mail is a one-time password (RFC 8176 §2).
    methods: passkeyMethods ?? (isByCode ? ['otp'] : ['pwd']),
    persistent: false,
    // Without a password, the mailbox is all that was proved.
    byMail: byMail || isByCode,
    standIn,
    isRegistration,
    former,
    returnUrl: localUrlOrRoot(next),
    first: passkeyMethods === undefined ? 'password' : 'passkey',
  })
  if ('answer' in entered) {
    metrics.signIn(
      passkeyMethods === undefined ? 'password' : 'passkey',
      entered.outcome === 'signed_in' ? 'signed_in' : 'second_factor',
    )
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
