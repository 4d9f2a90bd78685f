/** `/Account/Self/deletion`: the end of an account, which its owner asks for. */
import { auditEvent } from '../../audit/request-events.ts'
import { type Answer, empty, json, withCookies } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import type { Service } from '../../service.ts'
import { LastAdministrator } from '../../storage/port/users.ts'
import { cancelDeletion, isOwnName, planDeletion } from '../../users/changes.ts'
import { isoTime } from '../../users/user-record.ts'
import { withNotice } from '../notices.ts'
import { done, fault, selfChange, type Visit } from './endpoint.ts'
import { text } from './members.ts'

/** More than the longest user name has. */
const longestName = 1000

/**
 * `POST …/deletion`: `username`, typed. Answers `due_at`: until then the account goes on, and a sign-in cancels the deletion.
 * With `Accounts:DeletionDelay` 0 the account is deleted at once, which is answered with 204.
 */
export function askDeletion(service: Service): Endpoint {
  const { settings, storage } = service
  const members = { username: text(longestName) }
  return selfChange(service, { recent: true, members }, async (visit) => {
    const { request, signedIn, nowMs, body } = visit
    const { user } = signedIn
    if (!isOwnName(user, body.username)) {
      return fault('username', 'username_mismatch', 'username is not the name of this account.')
    }
    const delaySeconds = settings.accounts.deletionDelaySeconds
    if (delaySeconds === 0) return keepingAdministrator(() => deleteNow(service, visit))
    const { deletionDueAtMs: dueAtMs } = planDeletion(user, delaySeconds, nowMs)
    const planned = auditEvent(request, nowMs, 'deletion_planned', { userId: user.id }, { dueAtMs })
    const notice = { purpose: 'deletion_planned', data: { when: { atMs: dueAtMs } } } as const
    return keepingAdministrator(async () => {
      const changed = await storage.users.update(
        user.id,
        (stored) => (stored.deletionDueAtMs === null ? planDeletion(stored, delaySeconds, nowMs) : undefined),
        [withNotice(service, request, planned, user, notice)],
      )
      return json({ due_at: isoTime(changed?.deletionDueAtMs ?? dueAtMs) })
    })
  })
}

/** The last person who can administer the service cannot go. */
async function keepingAdministrator(change: () => Promise<Answer>): Promise<Answer | Refusal> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof LastAdministrator) return refuse('last_administrator')
    throw error
  }
}

async function deleteNow(service: Service, { request, signedIn, nowMs }: Visit) {
  const { sessions, storage } = service
  const { user } = signedIn
  const deleted = auditEvent(request, nowMs, 'user_deleted', { userId: user.id }, { reason: 'asked_for' })
  const event = withNotice(service, request, deleted, user, { purpose: 'deleted', data: {} })
  await storage.users.delete(user.id, [event])
  // The session is gone already: this removes the cookies.
  const ended = await sessions.end(request)
  return withCookies(empty(204, ended.headers), ended.cookies)
}

/** `DELETE …/deletion`: keeps the account. */
export function keepAccount(service: Service): Endpoint {
  return selfChange(service, { recent: false }, async ({ request, signedIn, nowMs }) => {
    const { id } = signedIn.user
    const event = auditEvent(request, nowMs, 'deletion_cancelled', { userId: id }, { reason: 'asked_for' })
    await service.storage.users.update(
      id,
      (stored) => (stored.deletionDueAtMs === null ? undefined : cancelDeletion(stored, nowMs)),
      [event],
    )
    return done
  })
}
