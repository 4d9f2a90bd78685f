/** A grant as introspections read it. */
import { textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { IntrospectedGrant } from '../../protocol/grant/grant.ts'
import { toChain } from './grants.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'
import { type GrantsTable, type Prefixed, prefixed } from './tables.ts'

/** The columns of an `IntrospectedGrant`. */
const introspectedNames = [
  'id',
  'client_id',
  'user_id',
  'authorization_id',
  'scopes',
  'authenticated_at_ms',
  'method',
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
    confirmation: row.g_confirmation === null ? null : JSON.parse(row.g_confirmation),
    claims: row.g_claims === null ? null : JSON.parse(row.g_claims),
    createdAtMs: row.g_created_at_ms,
    revokedAtMs: row.g_revoked_at_ms,
    refresh: toChain(row),
  }
}
