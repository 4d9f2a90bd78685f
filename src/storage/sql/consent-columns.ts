/** What decides whether the consent that a grant needs is there. */
import type { Client } from '../../protocol/client/client.ts'
import type { Joined } from './tables.ts'

export type ConsentRow = { readonly consent_id: string; readonly consent_by_operator: number | null }
export const consentColumns = [
  'authorizations.id as consent_id',
  'authorizations.by_operator as consent_by_operator',
] as const

/**
 * Whether the consent is still stored, or none is needed. `consent`: the kind that the client has now. `authorizationId`: the
 * one that the grant rests on; null: none.
 */
export function doesConsentStand(
  consent: Client['consent'] | null | undefined,
  authorizationId: string | null,
  row: Joined<ConsentRow> | undefined,
): boolean {
  // Whoever was let in before, in another way, is not let in any more.
  if (consent === 'external') return row?.consent_by_operator === 1
  return authorizationId === null || (row?.consent_id ?? null) !== null
}
