/**
 * `GET /Account/LoginContext?ReturnUrl=…`: what the login page and the choice of an account tell about the request that
 * sent the visitor there.
 */
import { stepFor } from '../connect/authorize-step.ts'
import { checkRequest } from '../connect/checked-request.ts'
import { json } from '../http/answer.ts'
import { fieldIgnoringCase, parseFormText, readQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { Client } from '../protocol/client/client.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { RequestingSession, SignedIn } from '../users/session.ts'
import { describeClient } from './contexts.ts'

type Context = {
  readonly client: Client | undefined
  readonly signedIn: SignedIn<RequestingSession> | undefined
  readonly reason: 'login' | 'max_age' | 'another' | null
}

/**
 * Returns `{ client, user, reason }`. `client`: as registered, null without a valid authorization request; nothing of
 * the request itself is returned. `user`: who is signed in. `reason`: why that sign-in does not do; null: it does.
 */
export function loginContext(service: Service): Endpoint {
  return async (request) => {
    const query = readQuery(request)
    if (isRefusal(query)) return service.answers.refuseAsJson(request, query)
    const asked = authorizationRequestIn(fieldIgnoringCase(query, 'ReturnUrl') ?? '')
    const { client, signedIn, reason } = await contextOf(service, request, asked)
    return json({
      client: client === undefined ? null : describeClient(client, service.pages.preferredLanguage(request)),
      user: signedIn === undefined ? null : { name: signedIn.user.name },
      reason: signedIn === undefined ? null : reason,
    })
  }
}

async function contextOf(service: Service, request: Request, asked: Parameters | undefined): Promise<Context> {
  const checked = asked && (await checkRequest(service, request, asked))
  if (asked === undefined || checked === undefined || isRefusal(checked)) {
    return { client: undefined, signedIn: await service.sessions.current(request), reason: null }
  }
  const step = await stepFor(service, request, checked, asked, 'none')
  const reason = !isRefusal(step) && step.next === 'login' ? (step.why ?? 'login') : null
  return { client: checked.client, signedIn: checked.signedIn, reason }
}

/** The parameters of the authorization request that the address leads on to; undefined: it leads elsewhere. */
export function authorizationRequestIn(returnUrl: string): Parameters | undefined {
  const [, query] = /^\/connect\/authorize\/?\?([^#]*)/i.exec(returnUrl) ?? []
  const parameters = query === undefined ? undefined : parseFormText(query)
  return parameters === undefined || isRefusal(parameters) ? undefined : parameters
}
