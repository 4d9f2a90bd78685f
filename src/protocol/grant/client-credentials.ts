/** The rules of the client credentials grant (RFC 6749 §4.4). */

import type { RequestingClient } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { builtInScopes, checkScopes, requestedScopes, resourcesOf, type Scope } from '../scope/scope.ts'

/** The parameters of the grant. `scopes` empty: none was requested. */
export type ClientCredentialsRequest = {
  readonly scopes: readonly string[]
  /** Values of `resource` (RFC 8707); empty: all that the scopes have. */
  readonly resources: readonly string[]
}

/**
 * Returns the scopes that count as requested: where none is asked for, or `openid` is, those that the client has unasked as well (RFC 6749
 * §3.3). `openid` itself needs a user.
 */
export function scopesForItself(asked: readonly string[], { metadata, scopes }: RequestingClient): readonly string[] {
  const { default_scopes: byDefault } = metadata
  if (byDefault.length === 0 || (asked.length > 0 && !asked.includes('openid'))) return asked
  const added = byDefault.filter((scope) => scopes.includes(scope) && !builtInScopes.includes(scope))
  return [...new Set([...asked, ...added])]
}

/** What the access token is for. */
export type ClientGrant = { readonly scopes: readonly string[]; readonly resources: readonly string[] }

/**
 * Decides a request of a client for itself. Only scopes that the client may request, and none that needs a user; a client with
 * `unknown_scopes: ignore` has those left out as well.
 */
export function decideClientCredentials(
  request: ClientCredentialsRequest,
  client: AuthenticatedClient,
  registered: readonly Scope[],
  issuer: string,
): ClientGrant | Refusal {
  const ignores = client.metadata.unknown_scopes === 'ignore'
  const asked = ignores ? request.scopes.filter((scope) => !builtInScopes.includes(scope)) : request.scopes
  const scopes = requestedScopes(asked, client, registered)
  const aboutUser = scopes.filter((scope) => builtInScopes.includes(scope))
  if (aboutUser.length > 0) {
    return refuse('client_scope_about_user', 'scope', { client: client.id, requested: scopes, notPermitted: aboutUser })
  }
  return checkScopes(scopes, client, registered) ?? { scopes, resources: resourcesOf(scopes, registered, issuer) }
}
