/** Changes an e-mail address once the new one is confirmed, and takes a change back. */
import { auditEvent } from '../audit/request-events.ts'
import { makeConfirmationCookie, removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { isRefusal } from '../refusal.ts'
import { mintConfirmation, unusableHashes } from '../secrets/confirmation-secrets.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { NamesChange } from '../storage/port/confirmations.ts'
import { undoneSinceMs, withConfirmedEmail, withRestoredEmail } from '../users/changes.ts'
import {
  type Confirmation,
  confirmationLink,
  linkConfirmation,
  provenReset,
  subjectOf,
  undoneId,
  undoneMark,
  undoneSince,
} from '../users/confirmation.ts'
import { normalizeName, type User } from '../users/user.ts'
import { accountPage, loginPage } from './form-fields.ts'
import { mailLanguage } from './notices.ts'
import { type Presented, tooLate } from './presented-confirmation.ts'

/** The former address is told, and can take the change back if it was confirmed. */
export async function changeEmail(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { clock, cookies, mail, random, storage } = service
  const { confirmation, user, former, returnUrl } = presented
  const { email = '' } = confirmation.details
  if (user === undefined) return tooLate(presented)
  const nowMs = clock()
  const secrets = mintConfirmation(nowMs, random)
  const isMoved = normalizeName(user.email) !== normalizeName(email)
  const undo = isMoved && user.emailConfirmed ? undoOf(user, secrets, nowMs) : undefined
  const language = mailLanguage(service, request, user)
  const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, { change: 'email_set' })
  const data = { username: user.name, email }
  const told = mail.withMail(event, {
    to: email,
    language,
    purpose: 'email_set',
    data: { username: user.name },
    link: '/Account/Profile',
  })
  const toldBoth = undo
    ? mail.withMail(told, {
        to: user.email,
        language,
        purpose: 'email_changed_undo',
        data,
        link: confirmationLink('undo', secrets.token),
        validSeconds: (undo.expiresAtMs - nowMs) / 1000,
      })
    : mail.withMail(told, { to: isMoved ? user.email : '', language, purpose: 'email_changed', data })
  const decide = (stored: User): NamesChange | undefined => {
    // Decided on the address that is told.
    if (stored.email !== user.email) return undefined
    const next = withConfirmedEmail(stored, email, clock())
    if (isRefusal(next)) return undefined
    return {
      user: next,
      events: [toldBoth],
      ...(undo === undefined ? { endsLaterUndos: true } : { following: [undo] }),
    }
  }
  const changed = await storage.confirmations.changeNames(confirmation.id, user.id, decide)
  if (changed === undefined || typeof changed === 'string') return tooLate(presented)
  const isSignedIn = former?.user.id === user.id
  const profile = accountPage('Profile', { changed: 'email' }, '/' as typeof returnUrl)
  const next = isSignedIn ? (returnUrl === '/' ? profile : returnUrl) : loginPage(service, {}, returnUrl)
  return withCookies(redirect(next), [removeConfirmationCookie(cookies, 'email')])
}

/**
 * Ends sessions and refresh tokens, removes what was added to the account since the day before the change, and leads on to a
 * new password: whoever changed the address may know the old one.
 */
export async function restoreEmail(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { clock, cookies, mail, random, storage } = service
  const { confirmation, user } = presented
  const { email = '' } = confirmation.details
  if (user === undefined) return tooLate(presented)
  const nowMs = clock()
  const earlier = undoneSince(await storage.confirmations.find(undoneId(user.id)), nowMs)
  const dropsSinceMs = Math.min(undoneSinceMs(confirmation.createdAtMs), earlier ?? Number.POSITIVE_INFINITY)
  const mark = undoneMark(unusableHashes(random), { id: user.id, dropsSinceMs }, nowMs)
  const { id, value, secretHash } = mintOpaque(uuidv7(nowMs, random), random)
  const reset = provenReset({ id, ...unusableHashes(random) }, { userId: user.id, browserHash: secretHash }, nowMs)
  const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, { change: 'email_restored' })
  const told = mail.withMail(event, {
    to: user.email,
    language: mailLanguage(service, request, user),
    purpose: 'email_changed',
    data: { username: user.name, email },
  })
  const decide = (stored: User): NamesChange | undefined => {
    const next = withRestoredEmail(stored, email, clock())
    if (isRefusal(next)) return undefined
    return { user: next, dropsSinceMs, events: [told], following: [mark, reset], endsLaterUndos: true }
  }
  const restored = await storage.confirmations.changeNames(confirmation.id, user.id, decide)
  if (restored === undefined || typeof restored === 'string') return tooLate(presented)
  const cookie = makeConfirmationCookie(cookies, 'reset', value)
  return withCookies(redirect(accountPage('ResetPassword', { undone: 'true' }, presented.returnUrl)), [cookie])
}

/** Each former address has an undo of its own, so that a second change does not end that of the first. */
function undoOf(user: User, secrets: ReturnType<typeof mintConfirmation>, nowMs: number): Confirmation {
  const subject = `${user.id}:${subjectOf(user.email)}`
  return linkConfirmation(secrets, { purpose: 'undo', subject, userId: user.id, details: { email: user.email } }, nowMs)
}
