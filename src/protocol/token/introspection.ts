/**
 * The answers about tokens to resource servers and clients (RFC 7662 §2.2).
 *
 * Belongs here: how an access token is presented (RFC 6750, RFC 9449), bound to a key, and described to others.
 * Belongs elsewhere: minting and verifying one (`tokens/`).
 */

import type { RequestingClient } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { checkParties, type ExchangeParties } from '../grant/authorization-code.ts'
import { acrOfGrant, type IntrospectedGrant, type RefreshChain } from '../grant/grant.ts'
import { type ChainRules, chainEndMs, givesRefreshTokens, type RecognisedGeneration } from '../grant/refresh-token.ts'
import { type Actor, exchangeGrantType } from '../grant/token-exchange.ts'
import { type Confirmation, type TokenType, tokenTypeOf } from './confirmation.ts'

/** Undefined members are omitted. Times are in seconds. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly iss: string
      readonly client_id: string
      readonly sub: string
      /** The name with which the user signs in; undefined: the token is about no user, or the asking client may not know it. */
      readonly username: string | undefined
      /** Space-separated. */
      readonly scope: string | undefined
      readonly aud: string | readonly string[]
      /** Undefined for refresh tokens, which are presented to the token endpoint alone. */
      readonly token_type: TokenType | undefined
      readonly iat: number
      readonly exp: number
      readonly jti: string | undefined
      readonly auth_time: number | undefined
      /** The class of the authentication; undefined: none applies, or it is not known. */
      readonly acr: string | undefined
      readonly cnf: Confirmation | undefined
      /** Who acts for the subject (RFC 8693 §4.1). */
      readonly act?: Actor | undefined
      /** The asking client, if it may exchange the token of another one (RFC 8693 §4.4). */
      readonly may_act?: { readonly sub: string } | undefined
    }

/** The same for every token that is of no use, or none of the client's business (RFC 7662 §4). */
export const inactive: Introspection = { active: false }

/** A valid access token: issued by this service and not expired. Times are epoch milliseconds. */
export type IntrospectedAccessToken = {
  readonly subject: string
  readonly clientId: string
  readonly grantId: string | null
  readonly jti: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly authenticatedAtMs: number | null
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly confirmation: Confirmation | null
  readonly actor: Actor | null
}

/** What the database knows about the token now. */
export type TokenState = {
  readonly parties: ExchangeParties<IntrospectedGrant>
  /** The current name of the user; undefined: there is none. */
  readonly username: string | undefined
  /** Whether this access token was revoked by itself. */
  readonly isRevoked: boolean
  /** When the client was registered that the token was issued to, in epoch milliseconds; undefined: deleted. */
  readonly clientSinceMs: number | undefined
}

/**
 * Answers about an access token. Only the client that it was issued to, and those that its audience names by their id or
 * a registered resource, learn anything.
 */
export function introspectAccessToken(
  token: IntrospectedAccessToken,
  asking: AuthenticatedClient,
  state: TokenState,
  issuer: string,
): Introspection {
  if (!mayKnow(token, asking) || !isValid(token, state)) return inactive
  return describeAccessToken(token, asking, state, issuer)
}

/** Whether the token is one of the client, or for it. */
export function mayKnow(
  token: Pick<IntrospectedAccessToken, 'clientId' | 'audience'>,
  { id, metadata }: RequestingClient,
): boolean {
  const names = [id, ...metadata.resources]
  return token.clientId === id || token.audience.some((audience) => names.includes(audience))
}

/** What the client learns of a valid access token. */
export function describeAccessToken(
  token: IntrospectedAccessToken,
  asking: RequestingClient,
  state: Pick<TokenState, 'username'> & { readonly parties: Pick<TokenState['parties'], 'grant'> },
  issuer: string,
): Introspection & { readonly active: true } {
  return {
    active: true,
    iss: issuer,
    client_id: token.clientId,
    sub: token.subject,
    username: token.grantId === null ? undefined : nameFor(asking, token.scopes, state),
    scope: scopeText(token.scopes),
    aud: token.audience.length === 1 ? (token.audience[0] as string) : token.audience,
    token_type: tokenTypeOf(token.confirmation),
    iat: inSeconds(token.issuedAtMs),
    exp: inSeconds(token.expiresAtMs),
    jti: token.jti,
    auth_time: token.authenticatedAtMs === null ? undefined : inSeconds(token.authenticatedAtMs),
    acr: state.parties.grant && acrOfGrant(state.parties.grant),
    cnf: token.confirmation ?? undefined,
    act: token.actor ?? undefined,
    may_act: mayAct(token, asking) ? { sub: asking.id } : undefined,
  }
}

/** Returns the user's name; for a client that registered itself, only if its scopes ask for it. */
function nameFor(
  { metadata }: RequestingClient,
  scopes: readonly string[],
  { username }: Pick<TokenState, 'username'>,
) {
  return metadata.registration === 'operator' || scopes.includes('profile') ? username : undefined
}

/** Whether an exchange by the asking client would be one on behalf of another. No other client is named to it. */
function mayAct({ clientId }: IntrospectedAccessToken, { id, grantTypes, metadata }: RequestingClient): boolean {
  return clientId !== id && grantTypes.includes(exchangeGrantType) && metadata.may_exchange.includes(clientId)
}

function isValid(token: IntrospectedAccessToken, { parties, isRevoked, clientSinceMs }: TokenState): boolean {
  if (isRevoked || clientSinceMs === undefined) return false
  // A client that was registered later under the id of a deleted one has no tokens from before.
  if (token.grantId === null) return clientSinceMs < token.issuedAtMs + 1000
  return parties.grant !== undefined && isStanding(parties.grant, parties)
}

/**
 * Answers about a refresh token. `generation`: that of the presented token; undefined: its secret does not belong to
 * the grant's chain. Only the client that it was issued to learns anything.
 */
export function introspectRefreshToken(
  generation: RecognisedGeneration | undefined,
  asking: AuthenticatedClient,
  state: TokenState,
  rules: ChainRules,
  issuer: string,
  nowMs: number,
): Introspection {
  const { parties } = state
  const { grant } = parties
  if (grant === undefined || grant.refresh === null || grant.clientId !== asking.id) return inactive
  const chain = grant.refresh
  // A replaced token is of no use any more but to repeat a request whose answer was lost.
  if (generation === undefined || generation < chain.generation || !isStanding(grant, parties)) return inactive
  const expiresAtMs = Math.min(chain.expiresAtMs, chainEndMs(grant, rules))
  if (nowMs >= expiresAtMs || !asking.grantTypes.includes('refresh_token')) return inactive
  if (!givesRefreshTokens(grant.scopes, asking)) return inactive
  return {
    active: true,
    iss: issuer,
    client_id: grant.clientId,
    sub: grant.userId,
    username: nameFor(asking, grant.scopes, state),
    scope: scopeText(grant.scopes),
    aud: issuer,
    token_type: undefined,
    iat: inSeconds(issuedAtMs(grant, chain)),
    exp: inSeconds(expiresAtMs),
    jti: undefined,
    auth_time: inSeconds(grant.authenticatedAtMs),
    acr: acrOfGrant(grant),
    cnf: grant.confirmation ?? undefined,
  }
}

/** Whether grant, user and consent allow its tokens now. */
function isStanding(grant: IntrospectedGrant, parties: TokenState['parties']): boolean {
  return grant.revokedAtMs === null && checkParties(parties, grant.createdAtMs) === undefined
}

function issuedAtMs(grant: IntrospectedGrant, { rotatedAtMs }: RefreshChain): number {
  return rotatedAtMs[0] ?? grant.createdAtMs
}

function inSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000)
}

function scopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ')
}
