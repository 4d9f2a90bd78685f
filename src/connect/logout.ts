/** `/connect/logout`: the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0 §2). */

import { antiforgeryField } from '../browser/antiforgery.ts'
import { type Answer, redirect, seeOther, withCookies, withHeaders } from '../http/answer.ts'
import { readForm, readQuery, withoutEmpty, withoutFields, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { IdTokenHint } from '../protocol/authorization-request/authorization-request.ts'
import type { RegisteredUri } from '../protocol/authorization-request/redirect-uri.ts'
import type { Client } from '../protocol/client/client.ts'
import {
  decideEndSession,
  isConfirmedByHint,
  namesNoClient,
  parseEndSessionRequest,
} from '../protocol/logout/end-session.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { subjectFor } from '../tokens/subject.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import { boundedAddress, lengthOf, pageAddressAtMost } from './bounded-address.ts'
import { isSwitchedOff } from './current-client.ts'
import { framesOf, signedOutPage } from './signed-out.ts'

/**
 * GET: checks the request and asks for confirmation, which leaves the session unchanged; or ends it, for a client with
 * `logout_confirmation=hint`.
 */
export function askToLogOut(service: Service): Endpoint {
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return service.answers.refuseReadably(request, parameters)
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, checked)
    if (await isConfirmed(service, request, checked)) return endSession(service, request, checked)
    return showPage(service, request, parameters)
  }
}

/** POST: the user confirmed, or a client asks as by GET (RP-Initiated Logout §2), which leads to the page that asks. */
export function logOut(service: Service): Endpoint {
  return async (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return service.answers.refuseReadably(request, form)
    const parameters = withoutFields(form, [antiforgeryField, 'Confirm'])
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return service.answers.refuseReadably(request, checked)
    if (!isConfirmation(request, form)) {
      // A browser sends no cookie with a form of another site, and does with the GET that it leads to (SameSite=Lax).
      const isByHint = checked.hint !== undefined && checked.client?.metadata.logout_confirmation === 'hint'
      const address = isByHint ? boundedAddress('/connect/logout', parameters, pageAddressAtMost) : undefined
      return address === undefined ? showPage(service, request, parameters) : seeOther(address)
    }
    const signedIn = await service.sessions.current(request)
    const forgery = service.antiforgery.check(request, form, signedIn?.user.id ?? null)
    if (forgery !== undefined) return service.answers.refuseSilently(request, forgery)
    return endSession(service, request, checked)
  }
}

type CheckedEndSession = {
  readonly redirectUri: RegisteredUri | null
  readonly state: string | null
  readonly client: Client | undefined
  /** Of an id token hint that this service issued. */
  readonly hint: IdTokenHint | undefined
}

/** Whether the hint stands for the person's word. Reads the session for clients that may do without it alone. */
async function isConfirmed(
  { keys, sessions }: Service,
  request: Request,
  { client, hint }: CheckedEndSession,
): Promise<boolean> {
  if (client?.metadata.logout_confirmation !== 'hint' || hint === undefined) return false
  const signedIn = await sessions.current(request)
  return isConfirmedByHint(client, hint, signedIn && subjectFor(keys, client, signedIn.user))
}

/** Ends the session of the browser and leads on to the client, past the frames of those that are told in the browser. */
async function endSession(service: Service, request: Request, checked: CheckedEndSession): Promise<Answer> {
  const ended = await service.sessions.end(request)
  const { redirectUri, state } = checked
  const next = redirectUri === null ? null : withQuery(redirectUri, withoutEmpty([['state', state ?? '']]))
  const frames = framesOf(ended.clients, service.settings.oauth.issuer)
  const answer = frames.length === 0 ? redirect(next ?? '/') : signedOutPage(service, request, frames, next)
  return withHeaders(withCookies(answer, ended.cookies), ended.headers)
}

/** Leads to the page that asks, which is given the whole request. */
function showPage({ answers, settings }: Service, request: Request, parameters: Parameters): Answer {
  const address = boundedAddress(settings.oauth.logoutPageUrl, parameters, pageAddressAtMost)
  if (address !== undefined) return redirect(address)
  const detail = { length: lengthOf(parameters), limit: pageAddressAtMost }
  return answers.refuseReadably(request, refuse('end_session_request_too_long', '', detail))
}

/** Whether the form claims to be that of the logout page, which alone has the token. A script may submit it without the button. */
function isConfirmation(request: Request, form: Parameters): boolean {
  return (
    request.headers.requestverificationtoken !== undefined ||
    form.some(([name]) => name === antiforgeryField || name === 'Confirm')
  )
}

/** Checks that apply to both methods and to what the page shows. */
export async function checkEndSession(service: Service, parameters: Parameters): Promise<CheckedEndSession | Refusal> {
  const parsed = parseEndSessionRequest(parameters)
  if (isRefusal(parsed)) return parsed
  const { keys, settings, storage } = service
  const hint =
    parsed.idTokenHint === null ? undefined : await verifyIdTokenHint(parsed.idTokenHint, keys, settings.oauth.issuer)
  const clientId = parsed.clientId ?? hint?.audience
  const found = clientId === undefined ? undefined : await storage.clients.find(clientId)
  const client = found !== undefined && isSwitchedOff(service, found.metadata) ? undefined : found
  const { postLogoutRedirectUri: address } = parsed
  const owners = address !== null && namesNoClient(parsed) ? await storage.clients.findByLogoutUri(address) : []
  const decision = decideEndSession(parsed, client, hint?.audience, owners)
  return isRefusal(decision) ? decision : { redirectUri: decision.redirectUri, state: parsed.state, client, hint }
}
