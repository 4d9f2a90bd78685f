/** `POST /Account/Register`: asks to confirm the address of a new account, or creates that of an invitation. */
import { type AuditEvents, passwordDetail } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { isBrowserOf, readConfirmationCookie, removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, json, redirect, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { standingOf } from '../mail/inviter.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { type Confirmation, isConfirmed, keptReturnUrl } from '../users/confirmation.ts'
import type { LocalUrl } from '../users/local-url.ts'
import { accountFault, accountName, isOwnAddress, registerConfirmed } from '../users/own-registration.ts'
import type { SignedIn } from '../users/session.ts'
import { normalizeName, type User } from '../users/user.ts'
import { refuseSurplus } from './confirmation-budget.ts'
import { askToRegister } from './confirmation-mail.ts'
import { enterConfirmed } from './enter-confirmed.ts'
import { accountPage, loginPage, notFound, readFields } from './form-fields.ts'
import { hashInTurn, judgePassword } from './new-password.ts'
import { registrationLanguage } from './notices.ts'
import { readPostedForm } from './posted-form.ts'
import { askedFields, readAskedFields, typedInAddress, withoutRefusedValues } from './registration-fields.ts'

export function registerAccount(service: Service): Endpoint {
  const { answers, settings } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const invitation = await findInvitation(service, request)
    if (settings.accounts.registration !== 'open' && invitation === undefined) return notFound(service, request)
    const details = await readAskedFields(service, posted.form)
    const fields = readFields(posted.form, ['email', 'username', 'password', ...Object.keys(details.typed)])
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const entered = {
      email: invitation?.details.email ?? fields.text('email'),
      username: fields.text('username'),
    }
    const password = fields.password('password')
    const askAgain = (error: string): Answer => {
      const faulty = error === 'details_invalid' ? { faulty: details.faulty.join(' ') } : {}
      const query = { error, ...faulty, ...entered, ...typedInAddress(details) }
      return redirect(accountPage('Register', query, fields.returnUrl))
    }
    const fault = accountFault(entered)
    if (fault !== undefined) return askAgain(fault)
    if (details.faulty.length > 0) return askAgain('details_invalid')
    const owner = { name: accountName(entered), email: entered.email }
    // Before the lists of passwords and of names are asked, one of which may be another service's.
    const surplus = await refuseSurplus(service, request)
    if (surplus !== undefined) return surplus
    // Without a password, the person adds a passkey once the address is confirmed.
    const isPasswordless = password === '' && settings.accounts.passkeys === 'on'
    const error = isPasswordless ? undefined : await judgePassword(service, password, owner)
    if (error !== undefined) return askAgain(error)
    const conflicts = await service.storage.users.conflicts(owner)
    const isNameTaken = conflicts.includes('name_taken') || conflicts.includes('name_confusable')
    if (isNameTaken && !isOwnAddress(entered)) return askAgain('username_taken')
    const hashed = isPasswordless
      ? undefined
      : await hashInTurn(service, request, password, normalizeName(entered.email))
    if (hashed !== undefined && 'busy' in hashed) return hashed.busy(request)
    if (invitation !== undefined) {
      const account = {
        ...entered,
        passwordHash: hashed?.hash ?? null,
        roles: await rolesPromised(service, invitation),
        attributes: details.values,
      }
      return acceptInvitation(service, request, {
        invitation,
        account,
        returnUrl: fields.returnUrl,
        former: posted.signedIn,
      })
    }

    // commit and answer: the same whether the address has an account
    const returnUrl = keptReturnUrl(fields.returnUrl)
    const cookie = await askToRegister(service, request, {
      email: entered.email,
      username: owner.name,
      ...(hashed !== undefined && { passwordHash: hashed.hash }),
      ...(returnUrl !== undefined && { returnUrl }),
      ...(Object.keys(details.values).length > 0 && { attributes: details.values }),
    })
    return withCookies(redirect(accountPage('Confirm', { purpose: 'register' }, fields.returnUrl)), [cookie])
  }
}

/** `GET /Account/RegisterContext`: what the page shows. `invitation`: its address; null: this browser opened none. */
export function registerContext(service: Service): Endpoint {
  const { accounts } = service.settings
  return async (request) => {
    const invitation = await findInvitation(service, request)
    return json({
      open: accounts.registration === 'open' || invitation !== undefined,
      invitation: invitation === undefined ? null : { email: invitation.details.email ?? '' },
      password_min_length: accounts.password.minLength,
      passkeys: accounts.passkeys === 'on',
      service: service.brand.name(),
      attributes: await askedFields(service, request),
    })
  }
}

/** The roles of the invitation. One whose client is gone went with it. */
async function rolesPromised(
  { storage }: Pick<Service, 'storage'>,
  { details: { roles = [] } }: Confirmation,
): Promise<readonly string[]> {
  const ownerless = await storage.clientReferences.ownerlessAmong(roles)
  return roles.filter((role) => !ownerless.includes(role))
}

/** Returns the invitation whose link was used in this browser. */
async function findInvitation(service: Service, request: Request) {
  const { clock, cookies, storage } = service
  const cookie = readConfirmationCookie(cookies, request, 'invite')
  if (cookie === undefined) return undefined
  const confirmation = (await storage.confirmations.find(cookie.id))?.confirmation
  if (confirmation === undefined || !isBrowserOf(cookie, confirmation)) return undefined
  if (!isConfirmed(confirmation, 'invite', clock())) return undefined
  return (await standingOf(service, confirmation)).stands ? confirmation : undefined
}

async function acceptInvitation(
  service: Service,
  request: Request,
  {
    invitation,
    account,
    returnUrl,
    former,
  }: {
    readonly invitation: Confirmation
    readonly account: Omit<Parameters<typeof registerConfirmed>[0], 'id' | 'locale'>
    readonly returnUrl: LocalUrl
    readonly former: SignedIn | undefined
  },
): Promise<Answer> {
  const { clock, cookies, random, settings } = service
  const nowMs = clock()
  const registered = registerConfirmed(
    { ...account, id: uuidv7(nowMs, random), locale: registrationLanguage(service, request) },
    nowMs,
  )
  // A link that was handed over proves no address.
  const isProven = invitation.details.vouched !== true || settings.accounts.requireConfirmedEmail
  const user = isRefusal(registered) ? registered : { ...registered, emailConfirmed: isProven }
  if (isRefusal(user)) return redirect(accountPage('Register', { error: 'username_invalid' }, returnUrl))
  const event = auditEvent(
    request,
    nowMs,
    'account_registered',
    { userId: user.id },
    {
      method: 'invite',
      ...passwordDetail(user),
    },
  )
  const outcome = await withoutRefusedValues(user, (one) => registerInvited(service, invitation, one, event))
  if (outcome === 'name_taken' || outcome === 'name_confusable') {
    const entered = { error: 'username_taken', username: account.username }
    return redirect(accountPage('Register', entered, returnUrl))
  }
  const settled = removeConfirmationCookie(cookies, 'invite')
  if (outcome !== 'created') {
    // The address got an account meanwhile, or the invitation was used, replaced or withdrawn, or ended with rights.
    return withCookies(redirect(loginPage(service, {}, returnUrl)), [settled])
  }
  request.log.info({ registered: { user: user.id } }, 'account created')
  const answer = await enterConfirmed(service, request, user, { former, returnUrl, isRegistration: true })
  return withCookies(answer, [settled])
}

/** Gives the roles only while whoever sent the invitation may: decided again when that person is changed meanwhile. */
async function registerInvited(service: Service, invitation: Confirmation, user: User, event: AuditEvents[number]) {
  for (;;) {
    const { stands, inviter } = await standingOf(service, invitation)
    if (!stands) return 'gone'
    const outcome = await service.storage.confirmations.register(invitation.id, user, [event], inviter)
    if (outcome !== 'inviter_changed') return outcome
  }
}
