/**
 * What all endpoints of the account area check before they act: a session, the anti-forgery header, a recent sign-in,
 * and the members of the body, in this order.
 *
 * Belongs here: the JSON endpoints below `/Account/Self`, with which people look after their own account.
 * Belongs elsewhere: pages and forms (`account/`), and rules about people (`users/`).
 */
import { type Answer, empty } from '../../http/answer.ts'
import type { MemberFault } from '../../http/answers.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import type { Rejection } from '../../problem.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import type { SignedIn } from '../../users/session.ts'
import { type MemberReaders, type Members, readMembers } from './members.ts'

/** Who asks, and when, in epoch milliseconds. */
export type Visit = { readonly request: Request; readonly signedIn: SignedIn; readonly nowMs: number }

/** What is wrong with members of the body; answered with 400. */
export type Faults = { readonly faults: readonly MemberFault[] }

/** A refusal is answered with problem details (RFC 9457), and `done` with 204. */
export type Outcome = Answer | Refusal | Faults

export const done: Answer = empty(204)

/** Returns the outcome for one faulty member. `code` becomes the `error` of the problem. */
export function fault(member: string, code: string, message: string): Faults {
  return { faults: [{ member, code, message }] }
}

/** Returns the outcome for the problems of a rule. */
export function invalid({ problems }: Rejection): Faults {
  return {
    faults: problems.map(({ member, message }) => ({
      ...{ member, message, code: 'member_invalid' },
      // Values of declared attributes are members of an object.
      ...(member.startsWith('attributes.') && { pointer: `/${member.replace('.', '/')}` }),
    })),
  }
}

/**
 * A `GET`. `recent`: whether the sign-in must be recent. `recorded`: each is an entry of the audit trail, and counts as a
 * change. Without a session: 401 `login_required`.
 */
export function selfRead(
  service: Service,
  read: (visit: Visit) => Promise<Outcome>,
  { recent = false, recorded = false }: { readonly recent?: boolean; readonly recorded?: boolean } = {},
): Endpoint {
  return async (request) => {
    const visit = await visitOf(service, request)
    if (isRefusal(visit)) return answered(service, request, visit)
    const refusal = recent ? requireRecentSignIn(service, visit) : undefined
    if (refusal !== undefined) return answered(service, request, refusal)
    const surplus = recorded ? refuseSurplus(service, visit) : undefined
    return surplus ?? answered(service, request, await read(visit))
  }
}

/**
 * A `POST`, `PATCH` or `DELETE`. Demands the header `RequestVerificationToken` (specification 2.7); a form field does not
 * count. `recent`: whether the sign-in must be recent. `members`: those of the JSON body; absent: a body is ignored.
 */
export function selfChange<Readers extends MemberReaders = Record<never, never>>(
  service: Service,
  { recent, members }: { readonly recent: boolean; readonly members?: Readers },
  change: (visit: Visit & { readonly body: Members<Readers> }) => Promise<Outcome>,
): Endpoint {
  return async (request) => {
    const visit = await visitOf(service, request)
    if (isRefusal(visit)) return answered(service, request, visit)
    const refusal =
      service.antiforgery.check(request, [], visit.signedIn.user.id) ??
      (recent ? requireRecentSignIn(service, visit) : undefined)
    if (refusal !== undefined) return answered(service, request, refusal)
    const surplus = refuseSurplus(service, visit)
    if (surplus !== undefined) return surplus
    if (members === undefined)
      return answered(service, request, await change({ ...visit, body: {} as Members<Readers> }))
    const read = readMembers(request, members)
    if (isRefusal(read) || 'faults' in read) return answered(service, request, read)
    return answered(service, request, await change({ ...visit, body: read.members }))
  }
}

/**
 * Returns the refusal of a sign-in that is older than `Accounts:RecentSignIn`; undefined: it is recent. For endpoints where
 * only some changes need one.
 */
export function requireRecentSignIn({ settings }: Service, { signedIn, nowMs }: Visit): Refusal | undefined {
  const limitSeconds = settings.accounts.recentSignInSeconds
  const ageMs = nowMs - signedIn.session.authenticatedAtMs
  if (ageMs <= limitSeconds * 1000) return undefined
  return refuse('sign_in_too_old', '', { ageSeconds: Math.floor(ageMs / 1000), limitSeconds })
}

/** Counts a change. Returns the answer to one too many; undefined: it may go on. */
function refuseSurplus({ answers, selfChanges }: Service, { request, signedIn }: Visit): Answer | undefined {
  const writer = { address: request.address, owner: signedIn.user.id }
  const retryAfterSeconds = selfChanges.take(writer, request.body.length)
  if (retryAfterSeconds === undefined) return undefined
  return answers.refuseAsProblem(request, refuse('self_changes_exhausted'), { retryAfterSeconds })
}

async function visitOf(service: Service, request: Request): Promise<Visit | Refusal> {
  const signedIn = await service.sessions.current(request)
  return signedIn === undefined ? refuse('self_session_missing') : { request, signedIn, nowMs: service.clock() }
}

/** Answers with the outcome: 401 where a session is missing, otherwise the status of the refusal's error. */
export function answered({ answers }: Service, request: Request, outcome: Outcome): Answer {
  if (isRefusal(outcome)) {
    const isUnauthenticated = outcome.reason === 'self_session_missing'
    return answers.refuseAsProblem(request, outcome, isUnauthenticated ? { status: 401 } : {})
  }
  if (!('faults' in outcome)) return outcome
  const { faults } = outcome
  return answers.refuseAsProblem(request, refuse('members_invalid', '', { members: faults.map((one) => one.member) }), {
    faults,
  })
}
