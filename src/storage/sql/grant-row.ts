/** Grants as rows, and as introspections read them. */
import { methodsToText, textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { Grant, IntrospectedGrant, RefreshChain } from '../../protocol/grant/grant.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'
import type { SqlTypes } from './statement.ts'
import { columns, type GrantsTable, listToText, type Prefixed, prefixed, textToList } from './tables.ts'

export type GrantRow = Prefixed<'g', GrantsTable> & { readonly g_removed_scopes: string | null }
export const grantColumns = [
  ...prefixed('grants', 'g', columns.grants),
  removedNames('scope', 'g_removed_scopes'),
] as const

export const chainColumns = [
  'generation',
  'salt',
  'derivation_key_id',
  'derived_from',
  'refresh_expires_at_ms',
  'rotated_at_ms',
] as const

export const grantTypes: SqlTypes<GrantsTable> = {
  id: 'text',
  client_id: 'text',
  user_id: 'text',
  authorization_id: 'text',
  scopes: 'text',
  resources: 'text',
  authenticated_at_ms: 'bigint',
  method: 'text',
  nonce: 'text',
  created_at_ms: 'bigint',
  revoked_at_ms: 'bigint',
  expires_at_ms: 'bigint',
  generation: 'bigint',
  salt: 'text',
  derivation_key_id: 'text',
  refresh_expires_at_ms: 'bigint',
  rotated_at_ms: 'text',
  derived_from: 'bigint',
  session_id: 'text',
  confirmation: 'text',
  claims: 'text',
}

export type ChainColumns = Pick<GrantsTable, (typeof chainColumns)[number]>

export function toChainColumns(chain: RefreshChain | null): ChainColumns {
  return {
    generation: chain?.generation ?? null,
    salt: chain?.salt ?? null,
    derivation_key_id: chain?.derivationKeyId ?? null,
    derived_from: chain?.derivedFrom ?? null,
    refresh_expires_at_ms: chain?.expiresAtMs ?? null,
    rotated_at_ms: chain && listToText(chain.rotatedAtMs),
  }
}

export function toRow(grant: Grant): GrantsTable {
  return {
    ...toChainColumns(grant.refresh),
    id: grant.id,
    client_id: grant.clientId,
    user_id: grant.userId,
    authorization_id: grant.authorizationId,
    scopes: listToText(grant.scopes),
    resources: listToText(grant.resources),
    authenticated_at_ms: grant.authenticatedAtMs,
    method: methodsToText(grant.methods),
    session_id: grant.sessionId,
    confirmation: grant.confirmation && JSON.stringify(grant.confirmation),
    nonce: grant.nonce,
    claims: grant.claims && JSON.stringify(grant.claims),
    created_at_ms: grant.createdAtMs,
    revoked_at_ms: grant.revokedAtMs,
    expires_at_ms: grant.expiresAtMs,
  }
}

export function toGrant(row: GrantRow): Grant {
  return {
    id: row.g_id,
    clientId: row.g_client_id,
    userId: row.g_user_id,
    authorizationId: row.g_authorization_id,
    scopes: withoutRemoved(row.g_scopes, row.g_removed_scopes),
    resources: textToList(row.g_resources),
    authenticatedAtMs: row.g_authenticated_at_ms,
    methods: textToMethods(row.g_method),
    sessionId: row.g_session_id,
    confirmation: row.g_confirmation === null ? null : JSON.parse(row.g_confirmation),
    nonce: row.g_nonce,
    claims: row.g_claims === null ? null : JSON.parse(row.g_claims),
    createdAtMs: row.g_created_at_ms,
    revokedAtMs: row.g_revoked_at_ms,
    expiresAtMs: row.g_expires_at_ms,
    refresh: toChain(row),
  }
}

export function toChain(row: Prefixed<'g', ChainColumns>): RefreshChain | null {
  if (row.g_generation === null) return null
  const chain = {
    generation: row.g_generation,
    salt: row.g_salt as string,
    derivationKeyId: row.g_derivation_key_id as string,
    expiresAtMs: row.g_refresh_expires_at_ms as number,
    rotatedAtMs: JSON.parse(row.g_rotated_at_ms as string),
  }
  return row.g_derived_from === null ? chain : { ...chain, derivedFrom: row.g_derived_from }
}

/** The columns of an `IntrospectedGrant`. */
const introspectedNames = [
  'id',
  'client_id',
  'user_id',
  'authorization_id',
  'scopes',
  'authenticated_at_ms',
  'method',
  'session_id',
  'confirmation',
  'claims',
  'created_at_ms',
  'revoked_at_ms',
  'generation',
  'salt',
  'derivation_key_id',
  'derived_from',
  'refresh_expires_at_ms',
  'rotated_at_ms',
] as const
export const introspectedColumns = [
  ...prefixed('grants', 'g', introspectedNames),
  removedNames('scope', 'g_removed_scopes'),
] as const
export type IntrospectedRow = Prefixed<'g', Pick<GrantsTable, (typeof introspectedNames)[number]>> & {
  readonly g_removed_scopes: string | null
}

export function toIntrospectedGrant(row: IntrospectedRow): IntrospectedGrant {
  return {
    id: row.g_id,
    clientId: row.g_client_id,
    userId: row.g_user_id,
    authorizationId: row.g_authorization_id,
    scopes: withoutRemoved(row.g_scopes, row.g_removed_scopes),
    authenticatedAtMs: row.g_authenticated_at_ms,
    methods: textToMethods(row.g_method),
    sessionId: row.g_session_id,
    confirmation: row.g_confirmation === null ? null : JSON.parse(row.g_confirmation),
    claims: row.g_claims === null ? null : JSON.parse(row.g_claims),
    createdAtMs: row.g_created_at_ms,
    revokedAtMs: row.g_revoked_at_ms,
    refresh: toChain(row),
  }
}
