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
import { withConfirmedEmail, withProvenOwner, withRestoredEmail } from '../users/changes.ts'
import {
  type Confirmation,
  confirmationLink,
  linkConfirmation,
  provenReset,
  undoneId,
  undoneMark,
  undoneSince,
} from '../users/confirmation.ts'
import { dropsSince, type EmailUndo, undoOfChange } from '../users/email-undo.ts'
import { isSessionAlive } from '../users/session.ts'
import { normalizeName, type User } from '../users/user.ts'
import { goOnAfterVerifying } from './continuing.ts'
import { accountPage, loginPage } from './form-fields.ts'
import { ownLanguage } from './notices.ts'
import { type Presented, tooLate } from './presented-confirmation.ts'

/**
 * The former address is told, and that which was proven longest can take the change back. Only while the session in which
 * the change was asked for goes on.
 */
export async function changeEmail(service: Service, request: Request, presented: Presented): Promise<Answer> {
  const { clock, cookies, mail, random, storage } = service
  const { confirmation, user, former, isAskingBrowser, returnUrl } = presented
  const { email = '', formerEmail } = confirmation.details
  if (user === undefined) return tooLate(presented)
  // Asked for at the moment in which the address was changed otherwise.
  if (formerEmail !== undefined && formerEmail !== user.email) return tooLate(presented)
  const nowMs = clock()
  const secrets = mintConfirmation(nowMs, random)
  if (!(await isBegunStill(service, confirmation))) return tooLate(presented)
  const isMoved = normalizeName(user.email) !== normalizeName(email)
  const { undo: restoring, corrects } = undoOfChange(user, email, await storage.confirmations.undos(user.id), nowMs)
  const undo = restoring && undoWith(user, restoring, secrets, nowMs)
  const language = ownLanguage(service, user)
  const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, { change: 'email_set' })
  const data = { username: user.name }
  const told = mail.withMail(event, {
    to: email,
    language,
    purpose: 'email_set',
    data,
    link: '/Account/Profile',
  })
  const toldOwner = undo
    ? mail.withMail(told, {
        to: restoring?.email ?? '',
        language,
        purpose: 'email_changed_undo',
        data,
        link: confirmationLink('undo', secrets.token),
        validSeconds: (undo.expiresAtMs - nowMs) / 1000,
      })
    : told
  // An address in between is told as well, and can take nothing back.
  const isBetween = isMoved && user.emailConfirmed && restoring?.email !== user.email
  const toldBoth = isBetween
    ? mail.withMail(toldOwner, { to: user.email, language, purpose: 'email_changed', data })
    : toldOwner
  // Whoever clicks proves the address, and nobody knows whether they made the account.
  const proof =
    user.isUnclaimed === true && !user.emailConfirmed && !isAskingBrowser ? proveOwner(service, user) : undefined
  const decide = (stored: User): NamesChange | undefined => {
    // Decided on the address that is told.
    if (stored.email !== user.email || stored.isUnclaimed !== user.isUnclaimed) return undefined
    const next = (proof ? withProvenOwner : withConfirmedEmail)(stored, email, clock())
    if (isRefusal(next)) return undefined
    if (proof) return { user: next, dropsSinceMs: 0, events: [toldBoth], following: [proof.reset], endsUndos: true }
    return { user: next, events: [toldBoth], endsUndos: corrects, ...(undo && { following: [undo] }) }
  }
  const changed = await storage.confirmations.changeNames(confirmation.id, user.id, decide)
  if (changed === undefined || typeof changed === 'string') return tooLate(presented)
  if (proof) return withCookies(redirect(accountPage('ResetPassword', {}, returnUrl)), [proof.cookie])
  // The sign-in of this browser may have asked for it.
  const held = isAskingBrowser ? await goOnAfterVerifying(service, request, user.id) : undefined
  if (held) return withCookies(held, [removeConfirmationCookie(cookies, 'email')])
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
  const { clock, mail, random, storage } = service
  const { confirmation, user } = presented
  const { email = '' } = confirmation.details
  if (user === undefined) return tooLate(presented)
  const nowMs = clock()
  const earlier = undoneSince(await storage.confirmations.find(undoneId(user.id)), nowMs)
  const dropsSinceMs = Math.min(dropsSince(confirmation), earlier ?? Number.POSITIVE_INFINITY)
  const mark = undoneMark(unusableHashes(random), { id: user.id, dropsSinceMs }, nowMs)
  const { reset, cookie } = proveOwner(service, user)
  const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, { change: 'email_restored' })
  const told = mail.withMail(event, {
    to: user.email,
    language: ownLanguage(service, user),
    purpose: 'email_changed',
    data: { username: user.name },
  })
  const decide = (stored: User): NamesChange | undefined => {
    const next = withRestoredEmail(stored, email, clock())
    if (isRefusal(next)) return undefined
    return { user: next, dropsSinceMs, events: [told], following: [mark, reset], endsUndos: true }
  }
  const restored = await storage.confirmations.changeNames(confirmation.id, user.id, decide)
  if (restored === undefined || typeof restored === 'string') return tooLate(presented)
  return withCookies(redirect(accountPage('ResetPassword', { undone: 'true' }, presented.returnUrl)), [cookie])
}

/** Returns a reset for this browser alone, whose mailbox was proved, and the cookie that opens it. */
function proveOwner({ clock, cookies, random }: Service, user: User) {
  const nowMs = clock()
  const { id, value, secretHash } = mintOpaque(uuidv7(nowMs, random), random)
  const reset = provenReset({ id, ...unusableHashes(random) }, { userId: user.id, browserHash: secretHash }, nowMs)
  return { reset, cookie: makeConfirmationCookie(cookies, 'reset', value) }
}

/** Each change has an undo of its own, so that a second change does not end that of the first. */
function undoWith(
  { id: userId }: User,
  restoring: EmailUndo,
  secrets: ReturnType<typeof mintConfirmation>,
  nowMs: number,
): Confirmation {
  const about = { purpose: 'undo', subject: `${userId}:${secrets.id}`, userId, details: restoring } as const
  return linkConfirmation(secrets, about, nowMs)
}

/** Whether the session in which it was begun goes on; what was begun in none does. */
async function isBegunStill({ clock, sessions, storage }: Service, { sessionId }: Confirmation): Promise<boolean> {
  if (sessionId === undefined) return true
  const found = await storage.sessions.find(sessionId)
  return found !== undefined && isSessionAlive(found, sessions.rules, clock())
}
