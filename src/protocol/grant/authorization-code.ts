/** The authorization code and its exchange (RFC 6749 §4.1.2 and §4.1.3). */

import { verifyCodeVerifier } from '../authorization-request/pkce.ts'
import { comparedWith } from '../authorization-request/redirect-uri.ts'
import type { RequestedClaims } from '../claims/claims-request.ts'
import type { RequestingClient } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'
import { type Confirmation, isSameConfirmation } from '../token/confirmation.ts'
import { type Grant, hasEnded } from './grant.ts'

/** The parameters of a code exchange (RFC 6749 §4.1.3). */
export type CodeExchangeRequest = {
  readonly code: string
  /** null: not sent. */
  readonly redirectUri: string | null
  readonly codeVerifier: string | null
  /** Values of `resource` (RFC 8707); empty: all that were granted. */
  readonly resources: readonly string[]
}

/** The content of a code. It travels encrypted in the code itself; nothing is stored until the code is redeemed. */
export type CodeContent = {
  /** UUIDv7; becomes the id of the grant. */
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly authorizationId: string | null
  /** As sent in the authorization request; null if it was omitted. */
  readonly redirectUri: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly codeChallenge: string | null
  readonly nonce: string | null
  /** Claims requested one by one; null: none. */
  readonly claims: RequestedClaims | null
  readonly authenticatedAtMs: number
  readonly methods: readonly string[]
  /** The session in which it was issued; null: an older version issued it. */
  readonly sessionId: string | null
  /** `dpop_jkt`: the thumbprint of the key whose possession its redemption proves; null: none. */
  readonly dpopKey: string | null
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** What the database knows about the parties of a code. */
export type ExchangeParties<Known = Grant> = {
  /** undefined: the user was deleted. */
  readonly user: PartyUser | undefined
  readonly authorizationStands: boolean
  /** Present if the code was redeemed before. */
  readonly grant: Known | undefined
}

export type PartyUser = {
  readonly maySignIn: boolean
  /** Why the user may not sign in, for the log. */
  readonly bar?: string | undefined
  readonly grantsEndedAtMs: number | null
}

export type CodeExchange =
  | { readonly outcome: 'issue'; readonly content: CodeContent }
  /** Revokes the grant: a code presented twice has leaked (RFC 6749 §4.1.2). */
  | { readonly outcome: 'replayed'; readonly grantId: string; readonly refusal: Refusal }
  | Refusal

/**
 * Decides a code exchange. Every check precedes the write, so a stolen code without its verifier cannot use the code
 * up.
 */
export function decideCodeExchange(
  request: CodeExchangeRequest,
  content: CodeContent | undefined,
  client: AuthenticatedClient,
  confirmation: Confirmation | null,
  parties: ExchangeParties,
  nowMs: number,
): CodeExchange {
  if (content === undefined) {
    return refuse('code_invalid', 'code', { client: client.id, receivedLength: request.code.length })
  }
  // RFC 6749 §4.1.3: the code must have been issued to this client.
  if (content.clientId !== client.id) {
    return refuse('code_foreign', 'code', { client: client.id, issuedTo: content.clientId })
  }
  // Precedes the remaining checks: an attacker who replays a code does not know the verifier, and the replay must still
  // revoke the grant.
  const issuedSecondsAgo = secondsSince(content.issuedAtMs, nowMs)
  if (parties.grant !== undefined) {
    const detail = { client: client.id, issuedSecondsAgo, revokedBefore: parties.grant.revokedAtMs !== null }
    return { outcome: 'replayed', grantId: content.grantId, refusal: refuse('code_redeemed', 'code', detail) }
  }
  if (nowMs >= content.expiresAtMs) {
    const expiredSecondsAgo = secondsSince(content.expiresAtMs, nowMs)
    const lifetimeSeconds = secondsSince(content.issuedAtMs, content.expiresAtMs)
    return refuse('code_expired', 'code', { client: client.id, expiredSecondsAgo, lifetimeSeconds })
  }
  const fault =
    checkRedirectUri(request, content) ?? checkVerifier(request, content, client) ?? checkKey(content, confirmation)
  if (fault !== undefined) return fault
  const partyFault = checkParties(parties, content.issuedAtMs)
  if (partyFault !== undefined) return partyFault
  return { outcome: 'issue', content }
}

function checkRedirectUri(request: CodeExchangeRequest, content: CodeContent): Refusal | undefined {
  if (content.redirectUri === null) {
    if (request.redirectUri === null) return undefined
    const rule = 'the authorization request had none, so the token request must have none'
    return refuse('redirect_uri_mismatch', 'redirect_uri', { client: content.clientId, rule })
  }
  if (request.redirectUri === null) {
    const detail = { client: content.clientId, expected: content.redirectUri }
    return refuse('parameter_missing', 'redirect_uri', detail)
  }
  // RFC 6749 §4.1.3: the values must be identical.
  if (request.redirectUri === content.redirectUri) return undefined
  const { received, difference } = comparedWith([content.redirectUri], request.redirectUri)
  const detail = { client: content.clientId, received, expected: content.redirectUri, difference }
  return refuse('redirect_uri_mismatch', 'redirect_uri', detail)
}

function checkVerifier(
  request: CodeExchangeRequest,
  content: CodeContent,
  client: RequestingClient,
): Refusal | undefined {
  if (content.codeChallenge === null) {
    // The client's registration may have become stricter since the code was issued.
    if (client.requirePkce) {
      const rule = 'the code was asked for without a challenge, and the client must use PKCE by now'
      return refuse('code_verifier_missing', 'code_verifier', { client: client.id, rule })
    }
    // RFC 9700 §2.1.1: accepting a verifier without a challenge would allow a downgrade.
    if (request.codeVerifier === null) return undefined
    return refuse('code_verifier_unexpected', 'code_verifier', { client: client.id })
  }
  if (request.codeVerifier === null) {
    if (client.metadata.profile === 'fapi2') {
      return refuse('code_verifier_withheld', 'code_verifier', { client: client.id })
    }
    const reason = client.requirePkce ? 'code_verifier_missing' : 'parameter_missing'
    return refuse(reason, 'code_verifier', { client: client.id })
  }
  return verifyCodeVerifier(request.codeVerifier, content.codeChallenge)
}

/** RFC 9449 §10. `confirmation`: the key whose possession the request proves. */
function checkKey({ clientId, dpopKey }: CodeContent, confirmation: Confirmation | null): Refusal | undefined {
  if (dpopKey === null || isSameConfirmation({ jkt: dpopKey }, confirmation)) return undefined
  return refuse(confirmation === null ? 'dpop_proof_missing' : 'dpop_key_mismatch', 'DPoP', { client: clientId })
}

/** Checks user and consent, for both grant types. `sinceMs`: when the code or grant was created. */
export function checkParties(parties: Omit<ExchangeParties, 'grant'>, sinceMs: number): Refusal | undefined {
  if (parties.user === undefined) return refuse('user_gone')
  const { maySignIn, bar, grantsEndedAtMs } = parties.user
  if (!maySignIn) return refuse('user_not_allowed', '', { rule: bar ?? 'the account may not sign in now' })
  if (hasEnded(grantsEndedAtMs, sinceMs)) {
    return refuse('user_not_allowed', '', {
      rule: 'the account was locked after this sign-in; locking ends all grants',
    })
  }
  if (!parties.authorizationStands) return refuse('consent_revoked')
  return undefined
}
