/** `/connect/logout`: the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0 §2). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { antiforgeryField } from '../http/antiforgery.ts'
import { readForm, readQuery, withoutFields } from '../http/parameters.ts'
import { redirect, withoutEmpty, withQuery } from '../http/redirects.ts'
import type { Client } from '../protocol/client.ts'
import { decideEndSession, parseEndSessionRequest } from '../protocol/end-session.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { isRefusal, type Refusal } from '../protocol/refusals.ts'
import type { Service } from '../service.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'

/** GET: checks the request and asks for confirmation. The session stays as it is. */
export function askToLogOut(service: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return service.answers.refuseReadably(request, reply, parameters)
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, reply, checked)
    return redirect(reply, withQuery(service.settings.oauth.logoutPageUrl, parameters))
  }
}

/** POST: the person confirmed. */
export function logOut(service: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = readForm(request)
    if (isRefusal(form)) return service.answers.refuseReadably(request, reply, form)
    const parameters = withoutFields(form, [antiforgeryField, 'Confirm'])
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, reply, checked)
    const signedIn = await service.sessions.current(request)
    const forgery = service.antiforgery.check(request, form, signedIn?.user.id ?? null)
    if (forgery !== undefined) return service.answers.refuseSilently(request, reply, forgery)
    // Without the button nobody confirmed; the page asks again.
    if (!form.some(([name, value]) => name === 'Confirm' && value !== '')) {
      return redirect(reply, withQuery(service.settings.oauth.logoutPageUrl, parameters))
    }
    await service.sessions.end(request, reply)
    const { redirectUri, state } = checked
    return redirect(reply, redirectUri === null ? '/' : withQuery(redirectUri, withoutEmpty([['state', state ?? '']])))
  }
}

/** The rules that hold for both methods and for what the page shows. */
export async function checkEndSession(
  service: Service,
  parameters: Parameters,
): Promise<{ redirectUri: string | null; state: string | null; client: Client | undefined } | Refusal> {
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
