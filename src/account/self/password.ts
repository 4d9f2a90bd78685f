/** `POST /Account/Self/password`: `current`, `password`, and `revoke` (refresh tokens end, too). */
import { auditEvent } from '../../audit/request-events.ts'
import { withCookies } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import { isRefusal } from '../../refusal.ts'
import { hashPassword, PasswordHashingBusy, provesStored, verifyPassword } from '../../secrets/password.ts'
import type { Service } from '../../service.ts'
import { withOwnPassword } from '../../users/changes.ts'
import { type Candidate, countFailure, mayAttempt } from '../../users/lockout.ts'
import { passwordProblem } from '../../users/new-password.ts'
import { renew } from '../../users/sign-in.ts'
import type { User } from '../../users/user.ts'
import { judgePassword } from '../new-password.ts'
import { withNotice } from '../notices.ts'
import { done, fault, selfChange, type Visit } from './endpoint.ts'
import { flag, optional, text } from './members.ts'

const members = { current: optional(text(1024)), password: text(1100), revoke: optional(flag) }
const wrong = fault('current', 'invalid_credentials', 'The current password is not right.')

/**
 * Changes the password, or sets the first one, for which `current` is not asked. Ends the other sessions; this browser
 * gets a new one.
 */
export function changePassword(service: Service): Endpoint {
  const { clock, device, sessions, settings, storage } = service
  return selfChange(service, { recent: true, members }, async (visit) => {
    // gather
    const { request, signedIn, body } = visit
    const { session, user } = signedIn
    const error = await judgePassword(service, body.password, user)
    if (error !== undefined) {
      const { message } = passwordProblem(error, body.password, settings.accounts.password.minLength)
      return fault('password', error, message)
    }
    const candidate = await storage.users.findForSignIn({ name: user.name }, device.browserIds(request))
    if (candidate === undefined || candidate.user.id !== user.id) return refuse('self_session_missing')
    const hash = await hashIfRight(service, visit, candidate)
    if (isRefusal(hash)) return hash
    if (hash === undefined) {
      await countWrong(service, visit, candidate)
      return wrong
    }

    // decide and commit
    const revoke = body.revoke === true
    // A password that was set meanwhile was not checked.
    const decide = (stored: User): User | undefined =>
      provesStored(candidate.user.passwordHash, stored.passwordHash)
        ? withOwnPassword(stored, hash, revoke, clock())
        : undefined
    const details = { change: 'password_set', revoked: revoke }
    const event = auditEvent(request, clock(), 'user_changed', { userId: user.id }, details)
    const told = withNotice(service, request, event, user, { purpose: 'password_changed', data: {} })
    const changed = await storage.users.update(user.id, decide, [told])
    if (changed?.passwordHash !== hash) return wrong

    // answer
    const { methods, persistent, authenticatedAtMs } = session
    const made = sessions.prepare(request, { userId: user.id, methods, persistent })
    // Only the password was proved now, and the methods say more: they keep the time at which they were.
    const entry = { ...made, session: { ...made.session, authenticatedAtMs } }
    const entered = await storage.users.recordSignIn({ user: changed }, (stored) => {
      // A reset, a lock or an end of sessions that came in between ends this one as well.
      const hasEnded = stored.user.sessionsEndedAtMs !== changed.sessionsEndedAtMs
      return hasEnded ? { outcome: 'ended' as const } : renew(stored, entry, clock())
    })
    if (entered === undefined || entered.outcome === 'ended') return refuse('self_session_missing')
    const started = { ...entered, cookieValue: entry.cookieValue }
    return withCookies(done, await sessions.start(request, started, undefined))
  })
}

/** Checks and hashes when it is the turn of this address and account. Returns undefined for a wrong current password. */
async function hashIfRight(
  { attempts, clock, random }: Service,
  { request, body }: Visit & { readonly body: { readonly current?: string | undefined; readonly password: string } },
  candidate: Candidate,
): Promise<string | undefined | Refusal> {
  const { id, passwordHash } = candidate.user
  const attempt = await attempts.take(request.address, { account: id, known: true })
  if (!attempt.allowed) {
    return attempt.exhausted
      ? refuse('too_many_requests', '', { address: request.address })
      : refuse('temporarily_unavailable', '', { rule: 'too many passwords are waiting to be checked' })
  }
  let isRight: boolean | undefined
  try {
    isRight = passwordHash === null || (await verifyPassword(passwordHash, body.current ?? ''))
    // A lockout refuses the right password as well, so that guesses learn nothing while it lasts.
    if (!isRight || !mayAttempt(candidate, clock())) return undefined
    return await hashPassword(body.password, random)
  } catch (error) {
    if (!(error instanceof PasswordHashingBusy)) throw error
    return refuse('temporarily_unavailable', '', { rule: 'too many passwords are waiting to be checked' })
  } finally {
    attempt.settle(isRight === false ? 'failed' : 'not_failed')
  }
}

/** Counts like a failed sign-in: a session alone must not help to guess the password. */
async function countWrong(
  { clock, sessions, storage }: Service,
  { request, signedIn }: Visit,
  candidate: Candidate,
): Promise<void> {
  const details = { method: 'pwd', reason: 'wrong_password', at: 'account' }
  const event = auditEvent(request, clock(), 'sign_in_failed', { userId: signedIn.user.id }, details)
  await storage.users.recordSignIn(candidate, (stored) => {
    const nowMs = clock()
    if (!mayAttempt(stored, nowMs)) return { outcome: 'locked', events: [event] }
    return { outcome: 'wrong_password', ...countFailure(stored, sessions.rules, nowMs), events: [event] }
  })
}
