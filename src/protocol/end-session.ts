/** The end-session request (OpenID Connect RP-Initiated Logout 1.0 §2 and §3). */
import type { Client } from './client.ts'
import { ParameterReader, type Parameters } from './parameters.ts'
import { checkRedirectUriSyntax, comparedWith, isRegisteredLogoutUri, type RegisteredUri } from './redirect-uri.ts'
import { type Refusal, refuse } from './refusals/index.ts'

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
 * the client that `client_id` or the hint names; without either, no address is accepted. `hintAudience`: the client
 * that the id token hint was issued to, if this service issued the hint.
 */
export function decideEndSession(
  request: EndSessionRequest,
  client: Client | undefined,
  hintAudience: string | undefined,
): { readonly redirectUri: RegisteredUri | null } | Refusal {
  if (request.clientId !== null && client === undefined) {
    return refuse('end_session_client_unknown', 'client_id', { received: request.clientId })
  }
  if (request.clientId !== null && hintAudience !== undefined && hintAudience !== request.clientId) {
    return refuse('id_token_hint_foreign', 'id_token_hint', { client: request.clientId, issuedTo: hintAudience })
  }
  if (request.postLogoutRedirectUri === null) return { redirectUri: null }
  const registered = client?.postLogoutRedirectUris ?? []
  if (!isRegisteredLogoutUri(request.postLogoutRedirectUri, client)) {
    const rule = client === undefined ? 'neither client_id nor id_token_hint says whose address it is' : undefined
    const detail = { client: client?.id, ...comparedWith(registered, request.postLogoutRedirectUri), rule }
    return refuse('post_logout_redirect_uri_unregistered', 'post_logout_redirect_uri', detail)
  }
  return { redirectUri: request.postLogoutRedirectUri }
}
