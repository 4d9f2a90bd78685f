/**
 * The end-session request (OpenID Connect RP-Initiated Logout 1.0 §2 and §3).
 *
 * Belongs here: sign-out as applications ask for it and learn of it (front-channel and back-channel).
 * Belongs elsewhere: ending the session itself (`browser/session.ts`).
 */

import type { IdTokenHint } from '../authorization-request/authorization-request.ts'
import {
  checkRedirectUriSyntax,
  comparedWith,
  isRegisteredLogoutUri,
  type RegisteredUri,
} from '../authorization-request/redirect-uri.ts'
import { type Client, isSelfRegistered } from '../client/client.ts'
import { ParameterReader, type Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'

export type EndSessionRequest = {
  readonly clientId: string | null
  readonly postLogoutRedirectUri: string | null
  readonly state: string | null
  readonly idTokenHint: string | null
}

export function parseEndSessionRequest(parameters: Parameters): EndSessionRequest | Refusal {
  const reader = new ParameterReader(parameters)
  const clientId = reader.optional('client_id')
  const postLogoutRedirectUri = reader.optional('post_logout_redirect_uri')
  const state = reader.optional('state')
  const idTokenHint = reader.optional('id_token_hint')
  if (postLogoutRedirectUri !== null) {
    const fault = checkRedirectUriSyntax(postLogoutRedirectUri, 'post_logout_redirect_uri')
    if (fault !== undefined) reader.refuse(fault)
  }
  return reader.fault ?? { clientId, postLogoutRedirectUri, state, idTokenHint }
}

/**
 * Returns where the browser goes after the sign-out; null: the service's own page. The address must be registered for
 * the client that `client_id` or the hint names (`client`). A request that names none may give any address that a client
 * of an operator registered; `owners`: the clients with the address. `hintAudience`: the client that the id token hint was
 * issued to, if this service issued the hint.
 */
export function decideEndSession(
  request: EndSessionRequest,
  client: Client | undefined,
  hintAudience: string | undefined,
  owners: readonly Client[] = [],
): { readonly redirectUri: RegisteredUri | null } | Refusal {
  if (request.clientId !== null && client === undefined) {
    return refuse('end_session_client_unknown', 'client_id', { received: request.clientId })
  }
  if (request.clientId !== null && hintAudience !== undefined && hintAudience !== request.clientId) {
    return refuse('id_token_hint_foreign', 'id_token_hint', { client: request.clientId, issuedTo: hintAudience })
  }
  if (request.postLogoutRedirectUri === null) return { redirectUri: null }
  const registered = client?.postLogoutRedirectUris ?? []
  const { postLogoutRedirectUri } = request
  // A redirect address of a client that anybody could register would make an open redirector.
  const owner = namesNoClient(request) ? owners.find((one) => !isSelfRegistered(one)) : client
  if (!isRegisteredLogoutUri(postLogoutRedirectUri, owner)) {
    const rule = client === undefined ? 'no client is named, and no client of an operator registered it' : undefined
    const freePort = client?.metadata.application_type === 'native' ? 'of all' : 'of none'
    const detail = { client: client?.id, ...comparedWith(registered, postLogoutRedirectUri, freePort), rule }
    return refuse('post_logout_redirect_uri_unregistered', 'post_logout_redirect_uri', detail)
  }
  return { redirectUri: postLogoutRedirectUri }
}

/**
 * Whether the session ends without a question. RP-Initiated Logout §2 lets the service ask: a link anywhere can carry a hint that
 * somebody got hold of, so an operator decides for which clients it does not. `subject`: what id tokens of the client call the person
 * who is signed in (OpenID Connect Core §8); undefined: nobody is.
 */
export function isConfirmedByHint(
  client: Client | undefined,
  hint: IdTokenHint | undefined,
  subject: string | undefined,
): boolean {
  if (client?.metadata.logout_confirmation !== 'hint' || hint === undefined) return false
  return hint.audience === client.id && hint.subject === subject
}

/** A hint that cannot be verified names nobody, and is no request without a client either. */
export function namesNoClient({ clientId, idTokenHint }: EndSessionRequest): boolean {
  return clientId === null && idTokenHint === null
}
