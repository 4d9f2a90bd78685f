/**
 * Mints the token response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
 *
 * Belongs here: making, signing and checking codes, access tokens, ID tokens and refresh tokens.
 * Belongs elsewhere: whether a token may be issued (`protocol/`), and keys (`keys/`).
 */
import { hash } from 'node:crypto'
import { accessTokenClaims, exchangedTokenClaims, idTokenClaims, type Subject } from '../protocol/claims/claims.ts'
import { type Holder, rolesToldTo, toldTo } from '../protocol/claims/client-roles.ts'
import { clientTokenClaims } from '../protocol/claims/client-token-claims.ts'
import { type IssuedRules, ruled, type TokenRules, tokenRules } from '../protocol/claims/issued-claims.ts'
import { accountAudience, audienceOf } from '../protocol/claims/role-audience.ts'
import type { RequestingClient } from '../protocol/client/client.ts'
import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import type { Grant } from '../protocol/grant/grant.ts'
import { accessTokenType } from '../protocol/grant/token-exchange.ts'
import { sidOf } from '../protocol/logout/logout-claims.ts'
import { type AccessTokenType, accessTokenTypeFor } from '../protocol/token/access-token-type.ts'
import { type Confirmation, type TokenType, tokenTypeOf } from '../protocol/token/confirmation.ts'
import { type Minting, mintAccessToken } from './access-token.ts'
import { algorithmFor } from './client-algorithm.ts'
import { accessTokenSeconds, identityTokenSeconds } from './lifetimes.ts'
import { type StartedJwt, startJwt, whenSigned } from './sign.ts'

/** Undefined members are omitted. */
export type TokenResponse = {
  readonly access_token: string
  /** Of an exchanged token (RFC 8693 §2.2.1). */
  readonly issued_token_type?: string
  readonly token_type: TokenType
  /** In seconds. */
  readonly expires_in: number
  /** Space-separated; undefined if no scope was requested. */
  readonly scope: string | undefined
  readonly id_token: string | undefined
  readonly refresh_token: string | undefined
}

/** The response, or the promise of one whose signatures have to be waited for. */
export type MintedTokens = TokenResponse | Promise<TokenResponse>

/**
 * Signs the tokens of `grant` for its client and `scopes` (all granted ones, or a subset on refresh). `refreshToken`: null if the
 * grant has no refresh chain. `confirmation`: the key to which the access token is bound; null: to none. `jti`: the id of
 * the access token.
 */
export function mintTokens(
  minting: Minting,
  input: {
    readonly grant: Grant
    readonly client: RequestingClient
    readonly scopes: readonly string[]
    readonly subject: Subject
    readonly refreshToken: string | null
    readonly confirmation: Confirmation | null
    readonly jti: string
    readonly nowMs: number
    readonly leftOut?: IssuedRules['leftOut']
  },
): MintedTokens {
  const { settings } = minting
  const { grant, client, subject, scopes, confirmation, jti } = input
  const lifetimeSeconds = accessTokenSeconds(client, settings)
  const nowSeconds = Math.floor(input.nowMs / 1000)
  const own = toldTo(subject, client, null)
  const common = { issuer: settings.oauth.issuer, grant, scopes, subject: own, nowSeconds }
  const respond = (accessToken: string, idToken: string | undefined): TokenResponse => ({
    access_token: accessToken,
    token_type: tokenTypeOf(confirmation),
    expires_in: lifetimeSeconds,
    // RFC 6749 §3.3: the parameter is never empty.
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    id_token: idToken,
    refresh_token: input.refreshToken ?? undefined,
  })
  const audience = audienceOf(grant.resources, settings.oauth.issuer, subject, client, scopes)
  const told = toldTo(subject, client, audience)
  const claims = accessTokenClaims({ ...common, audience, subject: told, confirmation, jti, lifetimeSeconds })
  const rules = tokenRules(client, scopes, audience, subject, grant.claims, grant)
  const type = accessTokenTypeFor(client, grant.resources, subject.basis?.known.scopes)
  return whenSigned(mintAccessToken(minting, client, claims, type, { rules, leftOut: input.leftOut }), (accessToken) =>
    scopes.includes('openid')
      ? whenSigned(mintIdToken(minting, client, common, accessToken, rules), (idToken) => respond(accessToken, idToken))
      : respond(accessToken, undefined),
  )
}

function mintIdToken(
  { settings, keys }: Minting,
  client: RequestingClient,
  common: Pick<Parameters<typeof idTokenClaims>[0], 'issuer' | 'grant' | 'scopes' | 'subject' | 'nowSeconds'>,
  accessToken: string,
  rules: TokenRules | undefined,
): StartedJwt {
  const { identityTokenAlgorithm, postQuantum } = settings.oauth
  const { id_token_signed_response_alg: registered, id_token_claims: placement } = client.metadata
  const algorithm = algorithmFor(keys, client.metadata, registered, identityTokenAlgorithm, postQuantum)
  const claims = idTokenClaims({
    ...common,
    placement,
    sid: sidOf(client, common.grant),
    accessTokenHash: hashOfAccessToken(accessToken, algorithm),
    lifetimeSeconds: identityTokenSeconds(client, settings),
  })
  return startJwt(keys.signer(algorithm), 'JWT', ruled('id_token', claims, rules))
}

/** Signs the access token that a client gets for itself (RFC 6749 §4.4.3). */
export function mintClientToken(
  minting: Minting,
  input: {
    readonly client: RequestingClient
    readonly scopes: readonly string[]
    readonly resources: readonly string[]
    readonly type: AccessTokenType
    /** The roles of the client itself. */
    readonly account: Holder
    readonly confirmation: Confirmation | null
    readonly jti: string
    readonly nowMs: number
  },
): MintedTokens {
  const { settings } = minting
  const { issuer } = settings.oauth
  const { client, scopes, nowMs } = input
  const lifetimeSeconds = accessTokenSeconds(client, settings)
  const nowSeconds = Math.floor(nowMs / 1000)
  const audience = accountAudience(input.resources, issuer, input.account, client)
  const account = { ...input.account, roles: rolesToldTo(input.account, client, audience) }
  const claims = clientTokenClaims({
    ...{ issuer, clientId: client.id, subject: client.metadata.service_account_subject ?? client.id },
    ...{ roles: account.roles, scopes, audience, confirmation: input.confirmation, jti: input.jti },
    ...{ nowSeconds, lifetimeSeconds },
  })
  const rules = tokenRules(client, scopes, audience, undefined, null, { sessionId: null, account })
  return whenSigned(mintAccessToken(minting, client, claims, input.type, { rules }), (accessToken) => ({
    access_token: accessToken,
    token_type: tokenTypeOf(input.confirmation),
    expires_in: lifetimeSeconds,
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    id_token: undefined,
    refresh_token: undefined,
  }))
}

/**
 * Signs the access token of an exchange (RFC 8693 §2.2.1). It never outlives the subject token, `notAfterMs`.
 */
export function mintExchangedToken(
  minting: Minting,
  input: Omit<Parameters<typeof exchangedTokenClaims>[0], 'issuer' | 'clientId' | 'nowSeconds' | 'expiresAtSeconds'> & {
    readonly client: RequestingClient
    /** Null: there is no session. */
    readonly sessionId: string | null
    readonly type: AccessTokenType
    readonly nowMs: number
    readonly notAfterMs: number
  },
): MintedTokens {
  const { settings } = minting
  const { client, scopes } = input
  const nowSeconds = Math.floor(input.nowMs / 1000)
  const ownEndSeconds = nowSeconds + accessTokenSeconds(client, settings)
  const expiresAtSeconds = Math.min(ownEndSeconds, Math.floor(input.notAfterMs / 1000))
  const { subject } = input
  const claims = exchangedTokenClaims({
    ...input,
    subject: typeof subject === 'string' ? subject : toldTo(subject, client, input.audience),
    issuer: settings.oauth.issuer,
    clientId: client.id,
    nowSeconds,
    expiresAtSeconds,
  })
  const person = typeof subject === 'string' ? undefined : subject
  const rules = tokenRules(client, scopes, input.audience, person, null, input)
  return whenSigned(mintAccessToken(minting, client, claims, input.type, { rules }), (accessToken) => ({
    access_token: accessToken,
    issued_token_type: accessTokenType,
    token_type: tokenTypeOf(input.confirmation),
    expires_in: Math.max(0, expiresAtSeconds - nowSeconds),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    id_token: undefined,
    refresh_token: undefined,
  }))
}

/**
 * Returns `at_hash` (OpenID Connect Core §3.1.3.6): the left half of the hash, with the hash function of the id token's
 * algorithm.
 */
function hashOfAccessToken(accessToken: string, algorithm: ClientAlgorithm): string {
  const digest = digestFor(accessToken, algorithm)
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

function digestFor(text: string, algorithm: ClientAlgorithm): Buffer {
  switch (algorithm) {
    case 'EdDSA':
      return hash('sha512', text, 'buffer')
    case 'ML-DSA-65':
      // FIPS 204 §3.7: ML-DSA hashes with SHAKE256, of which relying parties take 512 bits.
      return hash('shake256', text, { outputEncoding: 'buffer', outputLength: 64 })
    default:
      return hash('sha256', text, 'buffer')
  }
}
