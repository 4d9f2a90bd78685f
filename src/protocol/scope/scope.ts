/**
 * Scopes, registered and built in.
 *
 * Belongs here: scopes, the permissions of the admin API, which are scopes too, and the resources that scopes lead to.
 * Belongs elsewhere: the claims that a scope asks for (`claims/`).
 */

import type { ClaimRule } from '../claims/claim-rules.ts'
import { handedOver } from '../claims/known-rules.ts'
import type { RequestingClient } from '../client/client.ts'
import type { Authorization } from '../grant/grant.ts'
import type { ParameterReader } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import type { AccessTokenType } from '../token/access-token-type.ts'
import { adminAudience, adminScopes, isAdminScope } from './admin-scopes.ts'

/** A registered scope. `openid` and `offline_access` are built in and not registered. */
export type Scope = {
  readonly name: string
  readonly displayName: string | null
  readonly description: string | null
  /** The `aud` of access tokens with this scope (RFC 9068 §3): absolute URIs, or names. */
  readonly resources: readonly string[]
  /** What it puts into tokens besides the claims of OpenID Connect. */
  readonly claims: readonly ClaimRule[]
  /** Why it is asked for, as the consent page words it. By language tag in lower case; that for every other language by ''. */
  readonly purposes: Readonly<Record<string, string>>
  /** Its name and description in languages, as members of records with the tag in lower case: `display_name#de`. */
  readonly localized: Readonly<Record<string, string>>
  /** The type of access tokens for its resources; null: that of the client. */
  readonly accessTokenType: AccessTokenType | null
  readonly createdAtMs: number
}

/** What a new scope is silent about. */
export const withoutRules: Pick<Scope, 'claims' | 'purposes' | 'localized' | 'accessTokenType'> = {
  claims: [],
  purposes: {},
  localized: {},
  accessTokenType: null,
}

export const builtInScopes: readonly string[] = ['openid', 'offline_access']

/** Whether the name can be that of a scope: a scope-token (RFC 6749 §3.3) of at most 100 characters. */
export function isScopeToken(name: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name)
}

/** Splits a `scope` value (RFC 6749 §3.3), in the order of the request, without duplicates. Stops beyond `atMost`. */
export function parseScope(value: string | null, atMost = Number.POSITIVE_INFINITY): string[] {
  if (value === null) return []
  const scopes = new Set<string>()
  for (const scope of value.split(' ')) {
    if (scope !== '') scopes.add(scope)
    if (scopes.size > atMost) break
  }
  return [...scopes]
}

/** Each is looked up, so a request has a bounded number. A client may have 100, and some are built in. */
export const requestedScopesAtMost = 256

/** Reads the `scope` of a request. Beyond the bound it has none, and the reader the fault. */
export function readScopes(reader: ParameterReader): string[] {
  const scopes = parseScope(reader.optional('scope'), requestedScopesAtMost)
  if (scopes.length <= requestedScopesAtMost) return scopes
  reader.refuse(refuse('scopes_too_many', 'scope', { limit: requestedScopesAtMost }))
  return []
}

/** Checks that scopes are registered or built in, and allowed for the client; every client may request `openid`. */
export function checkScopes(
  requested: readonly string[],
  client: RequestingClient,
  registered: readonly Scope[],
): Refusal | undefined {
  const known = new Set<string>([...builtInScopes, ...adminScopes, ...registered.map((scope) => scope.name)])
  const unknown = requested.filter((scope) => !known.has(scope))
  const permitted = ['openid', ...client.scopes]
  const detail = { client: client.id, requested, permitted }
  if (unknown.length > 0) return refuse('scope_unknown', 'scope', { ...detail, unregistered: unknown })
  if (requested.includes('offline_access') && !client.scopes.includes('offline_access')) {
    return refuse('offline_access_not_permitted', 'scope', detail)
  }
  const notPermitted = requested.filter((scope) => !permitted.includes(scope))
  if (notPermitted.length > 0) return refuse('scope_not_permitted', 'scope', { ...detail, notPermitted })
  return undefined
}

/** Returns the scopes that count: for a client with `unknown_scopes: ignore` those that it may request. */
export function requestedScopes(
  requested: readonly string[],
  client: RequestingClient,
  registered: readonly Scope[],
): readonly string[] {
  if (client.metadata.unknown_scopes === 'refuse') return requested
  return requested.filter((scope) => isPermitted(scope, client, registered))
}

/**
 * Returns the requested scopes with those that count as requested whenever `openid` is, as far as the client may request them.
 * `registered` absent: it is not known yet which there are.
 */
export function withDefaultScopes(
  requested: readonly string[],
  client: Pick<RequestingClient, 'metadata' | 'scopes'>,
  registered?: readonly Scope[],
): readonly string[] {
  const { default_scopes: added } = client.metadata
  if (added.length === 0 || !requested.includes('openid')) return requested
  const mayBe = (scope: string): boolean =>
    registered === undefined ? client.scopes.includes(scope) : isPermitted(scope, client, registered)
  return [...new Set([...requested, ...added.filter(mayBe)])]
}

/** Whether the client may request the scope. */
export function isPermitted(
  scope: string,
  client: Pick<RequestingClient, 'scopes'>,
  registered: readonly Scope[],
): boolean {
  if (scope === 'openid') return true
  const isKnown = builtInScopes.includes(scope) || isAdminScope(scope) || registered.some(({ name }) => name === scope)
  return isKnown && client.scopes.includes(scope)
}

/**
 * Returns what the client may still have of granted scopes. What an operator registered keeps what it was granted; a client
 * that registered itself has what it could request now.
 */
export function standingScopes(granted: readonly string[], client: RequestingClient): readonly string[] {
  if (client.metadata.registration === 'operator') return granted
  return granted.filter((scope) => scope === 'openid' || client.scopes.includes(scope))
}

const none: readonly never[] = []

/** Returns what rules of these scopes hand over about a person, sorted. */
export function handedOverBy(scopes: readonly string[], registered: readonly Scope[]): readonly string[] {
  const ruled = registered.filter(({ name, claims }) => claims.length > 0 && scopes.includes(name))
  const [only = none, ...others] = ruled.map(({ claims }) => handedOver(claims))
  return others.length === 0 ? only : [...new Set([only, ...others].flat())].sort()
}

/** Returns the consent, if it was given to all that the scopes hand over by now. */
export function standingConsent(
  consent: Authorization | undefined,
  scopes: readonly string[],
  registered: readonly Scope[],
): Authorization | undefined {
  const agreed = consent?.claims ?? []
  return handedOverBy(scopes, registered).every((claim) => agreed.includes(claim)) ? consent : undefined
}

/** Returns the `aud` of an access token: the resources of its scopes, in order, without duplicates. */
export function resourcesOf(requested: readonly string[], registered: readonly Scope[], issuer: string): string[] {
  const granted = registered.filter((scope) => requested.includes(scope.name))
  const isAdministrative = requested.some(
    (scope) => isAdminScope(scope) && !registered.some(({ name }) => name === scope),
  )
  const resources = granted.flatMap((scope) => scope.resources)
  return [...new Set(isAdministrative ? [...resources, adminAudience(issuer)] : resources)].sort()
}
