/** `POST /Account/ResetPassword`: sets the password after the code or link of a mail was used in this browser. */
import { auditEvent } from '../audit/request-events.ts'
import { isBrowserOf, readConfirmationCookie, removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { senderOf } from '../mail/inviter.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Change } from '../storage/port/confirmations.ts'
import { isClaimable, withResetPassword } from '../users/changes.ts'
import { isConfirmed, undoneId, undoneSince } from '../users/confirmation.ts'
import { isKnown } from '../users/known-browser.ts'
import { noSecondFactors } from '../users/second-factor.ts'
import type { User } from '../users/user.ts'
import { enterConfirmed } from './enter-confirmed.ts'
import { accountPage, readFields } from './form-fields.ts'
import { hashInTurn, judgePassword } from './new-password.ts'
import { withNotice } from './notices.ts'
import { readPostedForm } from './posted-form.ts'
import { findHeld, updatePassword } from './update-password.ts'

/**
 * Ends the other sessions; with `revoke`, refresh tokens as well. Whoever proves the address of an unclaimed account first
 * owns it: every other way into it ends, unless this browser signed in to it before. After a change of the address that was
 * taken back, what was added since ends.
 */
export function resetPassword(service: Service): Endpoint {
  const { answers, clock, cookies, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readFields(posted.form, ['password', 'revoke'])
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const { returnUrl } = fields
    const held = await findHeld(service, request)
    const cookie = readConfirmationCookie(cookies, request, 'reset')
    const found = cookie && (await storage.confirmations.find(cookie.id))
    // The code expired, was used before or was replaced, or another browser used it.
    const isNewer = held !== undefined && (found?.confirmation.confirmedAtMs ?? 0) < held.half.startedAtMs
    if (isNewer) return updatePassword(service, request, held, fields)
    const askAnew = redirect(accountPage('ForgotPassword', { error: 'code_invalid' }, returnUrl))
    if (cookie === undefined || found === undefined || found.user === undefined) return askAnew
    const { confirmation, user } = found
    if (!isBrowserOf(cookie, confirmation) || !isConfirmed(confirmation, 'reset', clock())) return askAnew
    const password = fields.password('password')
    const askAgain = (error: string): Answer => redirect(accountPage('ResetPassword', { error }, returnUrl))
    const error = await judgePassword(service, password, user)
    if (error !== undefined) return askAgain(error)
    const hashed = await hashInTurn(service, request, password, user.id)
    if ('busy' in hashed) return hashed.busy(request)

    const undone = undoneSince(await storage.confirmations.find(undoneId(user.id)), clock())

    const isVouched = confirmation.details.vouched === true
    const isStranger = isClaimable(user, clock()) && !(await isKnownHere(service, request, user))

    // decide and commit
    const revoke = fields.has('revoke') || undone !== undefined
    const nowMs = clock()
    const details = { change: 'password_reset', revoked: revoke }
    const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, details)
    const owner = { ...user, emailConfirmed: true }
    const told = withNotice(service, request, event, owner, { purpose: 'password_changed', data: {} })
    const toldOwner = withNotice(service, request, event, owner, { purpose: 'account_claimed', data: {} })
    const { covers } = await senderOf(service, confirmation)
    const decide = (stored: User): Change | undefined => {
      // An operator's link lasts no longer than the right to take the person over.
      if (!covers(stored)) return undefined
      const isClaim = isStranger && isClaimable(stored, clock())
      return {
        user: withResetPassword(stored, hashed.hash, revoke || isClaim, clock(), !isVouched),
        dropsSinceMs: isClaim ? 0 : undone,
        events: [isClaim ? { ...toldOwner, details: { ...details, claimed: true } } : told],
      }
    }
    // First: whoever reads the mail proves nothing by it later on either.
    if (!isVouched && user.hadSecondFactor === true) await barMail(service, user)
    const changed = await storage.confirmations.changeUser(confirmation.id, user.id, decide)
    if (changed === undefined) return askAnew

    // answer: never round a second factor
    request.log.info({ passwordReset: { user: user.id, revoked: revoke } }, 'password reset')
    const former = posted.signedIn?.user.id === user.id ? undefined : posted.signedIn
    const answer = await enterConfirmed(service, request, changed, {
      former,
      returnUrl,
      byMail: !isVouched,
      standIn: isVouched,
    })
    return withCookies(answer, [removeConfirmationCookie(cookies, 'reset')])
  }
}

/** Whether somebody signed in to the account in this browser before: the same person then proved the address. */
async function isKnownHere({ clock, device, storage }: Service, request: Request, user: User): Promise<boolean> {
  const browserIds = device.browserIds(request)
  if (browserIds.length === 0) return false
  const browser = (await storage.users.findForSignIn({ userId: user.id }, browserIds))?.browser
  return browser !== undefined && isKnown(browser, user, clock())
}

/** The mailbox was proved for the password, and does not count for the second factor that did not come with the person. */
async function barMail({ storage }: Service, { id }: User): Promise<void> {
  await storage.secondFactors.change(id, ({ factors = noSecondFactors(id) }) =>
    factors.isMailBarred ? {} : { factors: { ...factors, isMailBarred: true } },
  )
}
