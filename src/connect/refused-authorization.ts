/** Answers to authorization requests that end without a code: refused by a rule, or by the person. */

import { auditEvent } from '../audit/request-events.ts'
import type { Answer } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { ResponseTarget } from '../protocol/authorization-request/authorization-request.ts'
import { refusalFor } from '../protocol/authorization-request/authorize.ts'
import { type PushedRequest, refuseCompleted } from '../protocol/authorization-request/pushed-request.ts'
import { isSelfRegistered } from '../protocol/client/client.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'
import { authorizationResponse } from './authorization-response.ts'
import type { CheckedRequest } from './checked-request.ts'

/** Answers a request that a rule refuses. */
export async function answerRefusal(
  service: Service,
  request: Request,
  target: ResponseTarget,
  decided: Refusal,
): Promise<Answer> {
  const refusal = refusalFor(decided, target)
  // RFC 9700 §4.11.2: anybody could register an address and have visitors redirected there by a faulty request. Nobody reads
  // a page in a frame without interaction, whose owner waits for the answer (OpenID Connect Core §3.1.2.6).
  if (isSelfRegistered(target.client) && !target.isSilent) return service.answers.refuseReadably(request, refusal)
  return service.answers.recorded(request, refusal, await responseOf(service, target, refusal))
}

/** Answers a request that the person denied on the consent page. */
export async function answerDenial(
  service: Service,
  request: Request,
  checked: CheckedRequest,
  refusal: Refusal,
): Promise<Answer> {
  // Each is an audit entry, of which anybody with an account could otherwise write any number.
  const writer = { address: request.address, owner: checked.signedIn?.user.id }
  const retryAfterSeconds = service.selfChanges.take(writer, request.body.length)
  if (retryAfterSeconds !== undefined) {
    return service.answers.fail(request, refuse('self_changes_exhausted'), retryAfterSeconds)
  }
  return answerNo(service, request, checked, refusal, () => noteDenial(service, request, checked))
}

/**
 * Sends the client that the person does not go on, which completes the request. `noted`: is called when this answer was
 * the one that completed it.
 */
export async function answerNo(
  service: Service,
  request: Request,
  { target, pushed }: CheckedRequest,
  decided: Refusal,
  noted?: () => void,
): Promise<Answer> {
  const refusal = refusalFor(decided, target)
  // Made before the commit: a request that was completed must have its answer.
  const response = await responseOf(service, target, refusal)
  if ((await complete(service, pushed)) === 'completed') {
    return service.answers.refuseReadably(request, usedUp(service, pushed))
  }
  noted?.()
  return service.answers.recorded(request, refusal, response)
}

function responseOf(service: Service, target: ResponseTarget, refusal: Refusal): Promise<Answer> {
  return authorizationResponse(service, target, Object.entries(service.answers.toProtocolError(refusal)))
}

/** Completes a pushed request; of several answers to it, one wins, and the others learn that it is completed. */
export async function complete({ storage, clock }: Service, pushed: PushedRequest | undefined) {
  if (pushed === undefined || (await storage.pushedRequests.complete(pushed.id, clock()))) return undefined
  return 'completed' as const
}

export function usedUp({ clock }: Service, pushed: PushedRequest | undefined): Refusal {
  return pushed === undefined ? refuse('request_uri_unknown') : refuseCompleted(pushed, clock())
}

function noteDenial(service: Service, request: Request, { signedIn, client, ...checked }: CheckedRequest): void {
  const parties = { userId: signedIn?.user.id, clientId: client.id }
  const { consentScopes: scopes } = checked
  service.storage.audit.note(auditEvent(request, service.clock(), 'consent_denied', parties, { scopes }))
}
