/** `/connect/logout`: the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0 §2). */

import { antiforgeryField } from '../browser/antiforgery.ts'
import { redirect, withCookies } from '../http/answer.ts'
import { readForm, readQuery, withoutEmpty, withoutFields, withQuery } from '../http/parameters.ts'
import type { Endpoint } from '../http/request.ts'
import type { Client } from '../protocol/client.ts'
import { decideEndSession, parseEndSessionRequest } from '../protocol/end-session.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { RegisteredUri } from '../protocol/redirect-uri.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import { framesOf, signedOutPage } from './signed-out.ts'

/** GET: checks the request and asks for confirmation. Leaves the session unchanged. */
export function askToLogOut(service: Service): Endpoint {
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return service.answers.refuseReadably(request, parameters)
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, checked)
    return redirect(withQuery(service.settings.oauth.logoutPageUrl, parameters))
  }
}

/** POST: the user confirmed. */
export function logOut(service: Service): Endpoint {
  return async (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return service.answers.refuseReadably(request, form)
    const parameters = withoutFields(form, [antiforgeryField, 'Confirm'])
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, checked)
    const signedIn = await service.sessions.current(request)
    const forgery = service.antiforgery.check(request, form, signedIn?.user.id ?? null)
    if (forgery !== undefined) return service.answers.refuseSilently(request, forgery)
    // Without the button the user has not confirmed, so the page asks again.
    if (!form.some(([name, value]) => name === 'Confirm' && value !== '')) {
      return redirect(withQuery(service.settings.oauth.logoutPageUrl, parameters))
    }
    const ended = await service.sessions.end(request)
    const { redirectUri, state } = checked
    const next = redirectUri === null ? null : withQuery(redirectUri, withoutEmpty([['state', state ?? '']]))
    const frames = framesOf(ended.clients, service.settings.oauth.issuer)
    const answer = frames.length === 0 ? redirect(next ?? '/') : signedOutPage(service, request, frames, next)
    return withCookies(answer, ended.cookies)
  }
}

/** Checks that apply to both methods and to what the page shows. */
export async function checkEndSession(
  service: Service,
  parameters: Parameters,
): Promise<{ redirectUri: RegisteredUri | null; state: string | null; client: Client | undefined } | Refusal> {
  const parsed = parseEndSessionRequest(parameters)
  if (isRefusal(parsed)) return parsed
  const { keys, settings, storage } = service
  const hint =
    parsed.idTokenHint === null ? undefined : await verifyIdTokenHint(parsed.idTokenHint, keys, settings.oauth.issuer)
  const clientId = parsed.clientId ?? hint?.audience
  const client = clientId === undefined ? undefined : await storage.clients.find(clientId)
  const decision = decideEndSession(parsed, client, hint?.audience)
  return isRefusal(decision) ? decision : { redirectUri: decision.redirectUri, state: parsed.state, client }
}
