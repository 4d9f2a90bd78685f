/** `POST /Account/Cancel`: the way back to the application, from the pages between an authorization request and its answer. */
import { settleMarks } from '../connect/authorize-step.ts'
import { checkRequest, type RefusedRequest } from '../connect/checked-request.ts'
import { answerNo, answerRefusal } from '../connect/refused-authorization.ts'
import { type Answer, type SetCookie, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { localUrl } from '../users/local-url.ts'
import { readReturnUrl } from './form-fields.ts'
import { onceFor } from './half-finished.ts'
import { authorizationRequestIn } from './login-context.ts'
import { readPostedForm } from './posted-form.ts'

/**
 * `ReturnUrl`: the authorization request. Answers it with `access_denied` (RFC 6749 §4.1.2.1), by its response mode, and
 * ends the half-finished sign-in that was begun for it; sessions and everything else stay. 400 for anything else than an
 * authorization request whose redirect address is registered.
 */
export function cancel(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const sent = readReturnUrl(posted.form, [])
    if (isRefusal(sent)) return answers.refuseReadably(request, sent)
    const returnUrl = localUrl(sent) ?? '/'
    const asked = authorizationRequestIn(returnUrl)
    if (asked === undefined) {
      const rule = 'an authorization request to this service'
      return answers.refuseReadably(request, refuse('parameter_malformed', 'ReturnUrl', { rule }))
    }
    const checked = await checkRequest(service, request, asked)

    // decide, commit and answer
    if (isRefusal(checked)) return refused(service, request, checked)
    const cancelled = refuse('sign_in_cancelled', '', { client: checked.client.id })
    // Comes before the answer: where this fails, the pushed request is not completed yet, and the person can try again.
    const dropped = await dropHalf(service, request, returnUrl)
    const answer = await answerNo(service, request, checked, cancelled)
    return withCookies(answer, [...settleMarks(service, request, checked, asked), ...dropped])
  }
}

/** A request that is no longer valid is answered as the authorization endpoint answers it. */
function refused(service: Service, request: Request, { target, refusal }: RefusedRequest): Answer | Promise<Answer> {
  return target === undefined
    ? service.answers.refuseReadably(request, refusal)
    : answerRefusal(service, request, target, refusal)
}

/** Ends the sign-in that waits for its second factor and leads to `returnUrl`. Uses it up, so that no copy of it goes on. */
async function dropHalf(service: Service, request: Request, returnUrl: string): Promise<readonly SetCookie[]> {
  const half = service.halfSignIns.read(request)?.half
  if (half === undefined || half.returnUrl !== returnUrl) return []
  const { id, expiresAtMs } = onceFor(half)
  await service.storage.spentValues.spend(id, expiresAtMs)
  return service.halfSignIns.remove(request)
}
