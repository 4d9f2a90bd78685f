/** How stored consents are kept. */
import { hash } from 'node:crypto'
import { type Authorization, scopeKey } from '../../protocol/grant/grant.ts'
import { rememberedText } from '../../users/remembered.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'
import { type AuthorizationsTable, listToText, type Prefixed, prefixed, textToList } from './tables.ts'

/** All but the set of scopes, which only finds a row. */
const names = ['id', 'user_id', 'client_id', 'scopes', 'created_at_ms', 'claims', 'by_operator'] as const
export type AuthorizationRow = Prefixed<'a', Pick<AuthorizationsTable, (typeof names)[number]>> & {
  readonly a_removed_scopes: string | null
}
export const authorizationColumns = [
  ...prefixed('authorizations', 'a', names),
  removedNames('scope', 'a_removed_scopes'),
] as const

/** Of scopes with a line end between them, which none has (RFC 6749 §3.3). */
const setOf = rememberedText((scopes) => hash('sha256', scopeKey(scopes === '' ? [] : scopes.split('\n')), 'base64url'))

export function scopeSet(scopes: readonly string[]): string {
  return setOf(scopes.join('\n'))
}

export function toRow(authorization: Authorization): AuthorizationsTable {
  return {
    id: authorization.id,
    user_id: authorization.userId,
    client_id: authorization.clientId,
    scopes: listToText(authorization.scopes),
    scope_set: scopeSet(authorization.scopes),
    created_at_ms: authorization.createdAtMs,
    claims: authorization.claims === undefined ? null : listToText(authorization.claims),
    by_operator: authorization.byOperator === true ? 1 : null,
  }
}

export function toAuthorization(row: AuthorizationRow): Authorization {
  return {
    id: row.a_id,
    userId: row.a_user_id,
    clientId: row.a_client_id,
    scopes: withoutRemoved(row.a_scopes, row.a_removed_scopes),
    ...(row.a_claims !== null && { claims: textToList(row.a_claims) }),
    ...(row.a_by_operator === 1 && { byOperator: true }),
    createdAtMs: row.a_created_at_ms,
  }
}
