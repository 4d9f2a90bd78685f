/** The rules of token exchange (RFC 8693). Subject and actor tokens are access tokens of this service. */
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { sampleResource } from '../scope/resource.ts'
import { isResourceUri } from '../scope/resource-name.ts'
import { checkScopes, requestedScopes, resourcesOf, type Scope } from '../scope/scope.ts'
import { type Confirmation, isSameConfirmation } from '../token/confirmation.ts'

export const exchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
/** Token types under which an access token may be sent (RFC 8693 §3). */
const accessTokenTypes = [accessTokenType, 'urn:ietf:params:oauth:token-type:jwt']

/** How often a token may be exchanged again. Bounds its claims, and the reads that check it. */
export const maxExchanges = 4
/** Values of `audience` in one request. */
export const maxAudiences = 20

/** The acting party, and those that acted before it (RFC 8693 §4.1). */
export type Actor = { readonly sub: string; readonly act?: Actor | undefined }

/** The parameters (RFC 8693 §2.1). Null: absent. */
export type ExchangeRequest = {
  readonly subjectToken: string
  readonly subjectTokenType: string
  readonly actorToken: string | null
  readonly actorTokenType: string | null
  readonly requestedTokenType: string | null
  /** Null: all scopes of the subject token that the client may request. */
  readonly scopes: readonly string[] | null
  /** The values of `resource`: absolute URIs. */
  readonly resources: readonly string[]
  /** The values of `audience`, which may be names, too. Both empty: those of the subject token. */
  readonly audiences: readonly string[]
}

/** A valid access token that was sent. */
export type ExchangedToken = {
  readonly subject: string
  readonly clientId: string
  readonly jti: string
  readonly expiresAtMs: number
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly confirmation: Confirmation | null
  readonly actor: Actor | null
  readonly exchangedFrom: readonly string[]
}

/** What the issued token says. */
export type Exchange = {
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly actor: Actor | null
  /** Ids of the subject token and of the tokens that it was exchanged from. */
  readonly exchangedFrom: readonly string[]
}

/** Returns the role clients that a token of the client about the person is for, with these scopes. */
export type RoleClientsFor = (scopes: readonly string[]) => readonly string[]

/** Checks what does not depend on the tokens. */
export function checkExchangeRequest(request: ExchangeRequest): Refusal | undefined {
  const { subjectTokenType, actorToken, actorTokenType, requestedTokenType } = request
  const unsupported = (parameter: string, received: string): Refusal =>
    refuse('exchange_type_unsupported', parameter, { received, supported: accessTokenTypes })
  if (!accessTokenTypes.includes(subjectTokenType)) return unsupported('subject_token_type', subjectTokenType)
  if (requestedTokenType !== null && !accessTokenTypes.includes(requestedTokenType)) {
    return unsupported('requested_token_type', requestedTokenType)
  }
  if (actorToken === null) {
    return actorTokenType === null ? undefined : refuse('exchange_actor_missing', 'actor_token')
  }
  if (actorTokenType === null) return refuse('parameter_missing', 'actor_token_type')
  return accessTokenTypes.includes(actorTokenType) ? undefined : unsupported('actor_token_type', actorTokenType)
}

/**
 * Decides an exchange of valid tokens. `proven`: the key that the request proved; null: none. `registered`: the
 * registered scopes among those of the subject token. `actor` undefined: there is no actor token. `roleClientsFor`: absent: the
 * subject token is about no person.
 */
export function decideExchange(
  request: ExchangeRequest,
  client: AuthenticatedClient,
  subject: ExchangedToken,
  actor: ExchangedToken | undefined,
  proven: Confirmation | null,
  registered: readonly Scope[],
  issuer: string,
  roleClientsFor: RoleClientsFor = () => [],
): Exchange | Refusal {
  const detail = { client: client.id, issuedTo: subject.clientId }
  const isOwn = subject.clientId === client.id
  if (!isOwn && !client.metadata.may_exchange.includes(subject.clientId)) {
    return refuse('exchange_not_permitted', 'subject_token', detail)
  }
  // An actor token of someone else would let the client act in the name of another party.
  if (actor !== undefined && actor.clientId !== client.id) {
    return refuse('exchange_not_permitted', 'actor_token', { client: client.id, issuedTo: actor.clientId })
  }
  for (const [parameter, token] of [['subject_token', subject] as const, ['actor_token', actor] as const]) {
    const bound = token?.confirmation ?? null
    if (bound !== null && !isSameConfirmation(bound, proven)) return refuse('exchange_key_unproven', parameter, detail)
  }
  if (subject.exchangedFrom.length >= maxExchanges) return refuse('exchange_too_often', 'subject_token', detail)
  const scopes = grantedScopes(request, client, subject, registered)
  if ('reason' in scopes) return scopes
  const resources = resourcesOf(scopes, registered, issuer)
  // RFC 9068 §3: without a resource the audience is the issuer.
  const ofClient = [...(resources.length === 0 ? [issuer] : resources), ...roleClientsFor(scopes)]
  const audience = grantedAudience(request, client, subject, ofClient, issuer)
  if ('reason' in audience) return audience
  return {
    scopes,
    audience,
    actor: actorOf(client, subject, actor),
    exchangedFrom: [...subject.exchangedFrom, subject.jti],
  }
}

/** Narrows the scopes to those that the client may request. `offline_access` is never among them. */
function grantedScopes(
  request: ExchangeRequest,
  client: AuthenticatedClient,
  subject: ExchangedToken,
  registered: readonly Scope[],
): readonly string[] | Refusal {
  const permitted = (scope: string): boolean =>
    scope !== 'offline_access' && checkScopes([scope], client, registered) === undefined
  const available = subject.scopes.filter(permitted)
  const requested = request.scopes === null ? available : requestedScopes(request.scopes, client, registered)
  const beyond = requested.filter((scope) => !available.includes(scope))
  if (beyond.length === 0) return requested
  return refuse('exchange_scope_exceeds', 'scope', { client: client.id, requested: beyond, permitted: available })
}

/**
 * Returns the audience of the issued token: `ofClient`, as an authorization of the client for these scopes would have it (RFC 8707 §2),
 * within that of the subject token. Without a request, all of it.
 */
function grantedAudience(
  { resources, audiences }: ExchangeRequest,
  client: AuthenticatedClient,
  { audience }: ExchangedToken,
  ofClient: readonly string[],
  issuer: string,
): readonly string[] | Refusal {
  const shared = [...new Set(ofClient)].filter((one) => audience.includes(one))
  // A token for the issuer is one for its sample API, too, and every client may ask for that.
  const isForSample = audience.includes(issuer) || audience.includes(sampleResource(issuer))
  const permitted = isForSample ? [...shared, sampleResource(issuer)] : shared
  const targets = [...resources, ...audiences]
  const names = resources.filter((resource) => !isResourceUri(resource))
  const beyond = [...names, ...targets.filter((target) => !permitted.includes(target))]
  if (beyond.length > 0 || (targets.length === 0 && shared.length === 0)) {
    const detail = { client: client.id, requested: beyond, permitted }
    return refuse('exchange_target_exceeds', 'resource', detail)
  }
  return targets.length > 0 ? [...new Set(targets)].sort() : shared
}

/**
 * Returns who acts: the subject of the actor token; without one, a client that exchanges the token of another. Earlier
 * actors follow (RFC 8693 §4.1).
 */
function actorOf(
  client: AuthenticatedClient,
  subject: ExchangedToken,
  actor: ExchangedToken | undefined,
): Actor | null {
  const acting = actor?.subject ?? (subject.clientId === client.id ? undefined : client.id)
  if (acting === undefined) return subject.actor
  return subject.actor === null ? { sub: acting } : { sub: acting, act: subject.actor }
}

/** Reads `act` of a token of this service; null: absent. */
export function readActor(claim: unknown): Actor | null {
  if (typeof claim !== 'object' || claim === null || !('sub' in claim)) return null
  const act = 'act' in claim ? readActor(claim.act) : null
  return act === null ? { sub: String(claim.sub) } : { sub: String(claim.sub), act }
}
