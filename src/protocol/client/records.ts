/** Clients, scopes and consents as JSON, the same in every interface. */

import { registeredMethod } from '../client-authentication/registration.ts'
import type { Authorization } from '../grant/grant.ts'
import { usableGrantTypes } from '../grant/grant-types.ts'
import type { Scope } from '../scope/scope.ts'
import { purposeMembers } from '../scope/scope-members.ts'
import { type Client, clientType, replacedSecretEndsAtMs } from './client.ts'
import { type ClientMetadata, differingMetadata } from './client-metadata.ts'
import type { RecordMember } from './member-table.ts'

/** Returns client metadata by the names of RFC 7591 §2, plus this service's own members. Never contains a secret. */
export function clientRecord(client: Client, nowMs: number) {
  const replacedEndsAtMs = replacedSecretEndsAtMs(client, nowMs)
  const members = {
    client_name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    // Every client has `openid`, registered or not.
    scope: ['openid', ...client.scopes].join(' '),
    grant_types: usableGrantTypes(client),
    response_types: ['code'],
    token_endpoint_auth_method: registeredMethod(client),
    consent: client.consent,
    require_pkce: client.requirePkce,
  } satisfies Readonly<Record<RecordMember, unknown>>
  return {
    client_id: client.id,
    client_id_issued_at: toSeconds(client.createdAtMs),
    ...members,
    ...registeredMetadata(client.metadata),
    ...(replacedEndsAtMs !== undefined && { previous_secret_expires_at: toSeconds(replacedEndsAtMs) }),
  }
}

/** What the audit trail says of a client that was registered. */
export function addedClient(client: Client) {
  const { consent, scopes, redirectUris } = client
  return { type: clientType(client), consent, scopes, redirectUris }
}

/** Returns the metadata that differs from the defaults, members with a language among them. */
export function registeredMetadata(metadata: ClientMetadata): Readonly<Record<string, unknown>> {
  const { localized = {}, token_endpoint_auth_method: _shown, ...members } = differingMetadata(metadata)
  return { ...members, ...localized }
}

export function scopeRecord(scope: Scope) {
  const { name, displayName, description, resources, claims, purposes, localized, accessTokenType, createdAtMs } = scope
  return {
    name,
    display_name: displayName,
    description,
    resources,
    claims,
    ...localized,
    ...purposeMembers(purposes),
    access_token_type: accessTokenType,
    created_at: isoTime(createdAtMs),
  }
}

/** `by_operator`: an operator stored it; otherwise the person gave it. */
export function authorizationRecord({ id, userId, clientId, scopes, byOperator, createdAtMs }: Authorization) {
  const of = { id, user_id: userId, client_id: clientId }
  return { ...of, scopes, by_operator: byOperator === true, created_at: isoTime(createdAtMs) }
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

/** ISO 8601 in UTC. */
function isoTime(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' })
}
