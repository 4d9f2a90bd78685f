/**
 * The rules of the device authorization grant (RFC 8628).
 *
 * Belongs here: device codes and user codes.
 * Belongs elsewhere: the page on which a person enters a user code (`account/device.ts`).
 */
import { isRefusal } from '../../refusal.ts'
import { noClaims, requestedClaims } from '../claims/claims-request.ts'
import type { Client } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { type CodeContent, checkParties, type ExchangeParties } from '../grant/authorization-code.ts'
import { checkGrantType } from '../grant/grant-types.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'
import { chooseResources } from '../scope/resource.ts'
import { checkScopes, requestedScopes, resourcesOf, type Scope } from '../scope/scope.ts'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** A device's request and the user's answer. Times are epoch milliseconds. */
export type DeviceCode = {
  /** UUIDv7: the readable first part of the device code, and the id of the grant that redeems it. */
  readonly id: string
  /** SHA-256 of the secret part of the device code, base64url. */
  readonly secretHash: string
  /** Keyed hash of the user code, base64url. */
  readonly userCodeHash: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly createdAtMs: number
  /** When both codes end. */
  readonly endsAtMs: number
  /** Null: the user has not answered yet. */
  readonly answer: DeviceAnswer | null
}

export type DeviceAnswer = { readonly kind: 'denied' } | DeviceApproval

/** Who approved the request, in which sign-in. */
export type DeviceApproval = {
  readonly kind: 'approved'
  readonly userId: string
  /** The stored consent; null for a client with implicit consent. */
  readonly authorizationId: string | null
  readonly sessionId: string
  readonly authenticatedAtMs: number
  readonly methods: readonly string[]
  readonly answeredAtMs: number
}

/** What a device asked for. */
export type DeviceRequest = { readonly scopes: readonly string[]; readonly resources: readonly string[] }

/** Checks a device authorization request (RFC 8628 §3.1). Returns what the codes will stand for. */
export function decideDeviceRequest(
  request: DeviceRequest,
  client: AuthenticatedClient,
  registered: readonly Scope[],
  issuer: string,
): Pick<DeviceCode, 'scopes' | 'resources'> | Refusal {
  const scopes = requestedScopes(request.scopes, client, registered)
  const refusal = checkDeviceGrant(client) ?? checkScopes(scopes, client, registered)
  if (refusal !== undefined) return refusal
  const resources = chooseResources(request.resources, resourcesOf(scopes, registered, issuer), issuer, client.id)
  return isRefusal(resources) ? resources : { scopes, resources }
}

function checkDeviceGrant(client: AuthenticatedClient): Refusal | undefined {
  if (checkGrantType(deviceGrantType, client) === undefined) return undefined
  return refuse('device_grant_not_permitted', '', { client: client.id, permitted: client.grantTypes })
}

/**
 * Checks that the user may answer the request now. A request that was answered, has ended or never existed is refused
 * in the same way.
 */
export function checkAnswerable(
  code: DeviceCode | undefined,
  client: Client | undefined,
  nowMs: number,
): Refusal | undefined {
  if (code === undefined || client === undefined) return refuse('user_code_unknown')
  if (code.answer !== null)
    return refuse('user_code_unknown', '', { client: client.id, rule: 'it was answered before' })
  if (nowMs >= code.endsAtMs) return refuse('user_code_unknown', '', { client: client.id, rule: 'it has expired' })
  return checkGrantType(deviceGrantType, client) === undefined
    ? undefined
    : refuse('user_code_unknown', '', { client: client.id, rule: 'the client may not use the grant type any more' })
}

export type DevicePoll =
  | { readonly outcome: 'issue'; readonly content: CodeContent }
  /** The user has not answered. */
  | { readonly outcome: 'pending' }
  | Refusal

/** Decides a poll (RFC 8628 §3.5). `code` undefined: unknown, or its secret does not match. */
export function decideDevicePoll(
  code: DeviceCode | undefined,
  client: AuthenticatedClient,
  parties: ExchangeParties,
  nowMs: number,
): DevicePoll {
  if (code === undefined) return refuse('device_code_invalid', 'device_code', { client: client.id })
  if (code.clientId !== client.id) {
    return refuse('device_code_foreign', 'device_code', { client: client.id, issuedTo: code.clientId })
  }
  if (parties.grant !== undefined) return refuse('device_code_redeemed', 'device_code', { client: client.id })
  if (code.answer?.kind === 'denied') return refuse('device_denied', '', { client: client.id })
  if (nowMs >= code.endsAtMs) {
    const expiredSecondsAgo = secondsSince(code.endsAtMs, nowMs)
    return refuse('device_code_expired', 'device_code', { client: client.id, expiredSecondsAgo })
  }
  if (code.answer === null) return { outcome: 'pending' }
  const content = contentOf(code, code.answer, client)
  return checkParties(parties, content.issuedAtMs) ?? { outcome: 'issue', content }
}

function contentOf(code: DeviceCode, approval: DeviceApproval, client: AuthenticatedClient): CodeContent {
  const { default_acr_values: preferredAcr } = client.metadata
  // As for an authorization request that names no class.
  const idToken = preferredAcr.length > 0 && code.scopes.includes('openid') ? ['acr'] : []
  return {
    grantId: code.id,
    clientId: code.clientId,
    userId: approval.userId,
    authorizationId: approval.authorizationId,
    redirectUri: null,
    scopes: code.scopes,
    resources: code.resources,
    codeChallenge: null,
    nonce: null,
    claims: requestedClaims({ ...noClaims, idToken, preferredAcr }, approval.methods),
    authenticatedAtMs: approval.authenticatedAtMs,
    methods: approval.methods,
    sessionId: approval.sessionId,
    dpopKey: null,
    issuedAtMs: approval.answeredAtMs,
    expiresAtMs: code.endsAtMs,
  }
}
