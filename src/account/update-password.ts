/** `POST /Account/ResetPassword` in the middle of a sign-in: the required action `update_password`. */
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, redirect } from '../http/answer.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { verifyPassword } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import { withOwnPassword } from '../users/changes.ts'
import type { SignInRules } from '../users/eligibility.ts'
import type { Candidate } from '../users/lockout.ts'
import { type HalfSignIn, isHalfAlive, stepOf } from '../users/second-factor-sign-in.ts'
import type { User } from '../users/user.ts'
import { goOn, startedAfter } from './continuing.ts'
import type { Fields } from './form-fields.ts'
import { findHalf, startAgain } from './half-finished.ts'
import { hashInTurn, judgePassword } from './new-password.ts'
import { withNotice } from './notices.ts'

/** Returns the sign-in of this browser that waits for a new password; undefined: none does. */
export async function findHeld(service: Service, request: Request) {
  const found = await findHalf(service, request)
  return found?.half.purpose === 'update_password' ? found : undefined
}

/**
 * Sets the password and goes on. Of two tabs the database decides which one set it: the other has to sign in anew, with the new
 * password.
 */
export async function updatePassword(
  service: Service,
  request: Request,
  { half, candidate }: NonNullable<Awaited<ReturnType<typeof findHeld>>>,
  fields: Fields,
): Promise<Answer> {
  const { clock, sessions, storage } = service
  const { user } = candidate
  // gather
  const password = fields.password('password')
  const askAgain = (error: string): Answer =>
    redirect(
      withQuery('/Account/ResetPassword', [
        ['step', 'update_password'],
        ['error', error],
      ]),
    )
  const error = await judgePassword(service, password, user)
  if (error !== undefined) return askAgain(error)
  const hashed = await hashInTurn(service, request, password, user.id)
  if ('busy' in hashed) return hashed.busy(request)
  if (await verifyPassword(user.passwordHash, password)) return askAgain('password_same')

  // decide and commit
  const revoke = fields.has('revoke')
  const nowMs = clock()
  const details = { change: 'password_set', revoked: revoke }
  const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, details)
  const told = withNotice(service, request, event, user, { purpose: 'password_changed', data: {} })
  let isFirst = false
  const decide = (stored: User): User | undefined => {
    const now = clock()
    isFirst = isDue(half, { ...candidate, user: stored }, sessions.rules, now)
    return isFirst ? withOwnPassword(stored, hashed.hash, revoke, now) : undefined
  }
  const changed = await storage.users.update(user.id, decide, [told])
  if (changed === undefined || !isFirst) return startAgain(service, request, half.returnUrl)

  // answer
  request.log.info({ passwordUpdated: { user: user.id, revoked: revoke } }, 'password updated')
  return goOn(service, request, startedAfter(half, changed.sessionsEndedAtMs, clock()))
}

function isDue(half: HalfSignIn, candidate: Candidate, rules: SignInRules, nowMs: number): boolean {
  return isHalfAlive(half, candidate, rules, nowMs) && stepOf(half, candidate, rules, nowMs) === 'update_password'
}
