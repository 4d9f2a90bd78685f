/** Keeps clients that registered themselves, which end where nobody used them. */
import { clientPartOf } from '../../protocol/claims/client-roles.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

/** For a registration that does not expire: later than any time, and exact in every engine. */
export const neverMs = Number.MAX_SAFE_INTEGER

type Keeping = { client_id: string; expires_at_ms: number }
export const keepRegistration = prepare('registrations.keep', (db, p: Placeholders<Keeping>) =>
  db
    .updateTable('client_registrations')
    .set(pick(p, ['expires_at_ms']))
    .where('client_id', '=', p.client_id)
    .where('expires_at_ms', '<', p.expires_at_ms),
)

/**
 * Returns what follows every change of roles that are described, included or given in the same commit: a client with roles is in use.
 * In one order, so that two commits do not wait for each other.
 */
export function keepClientsOf(before: readonly string[], after: readonly string[]): Statement[] {
  const added = after.filter((role) => !before.includes(role)).flatMap((role) => clientPartOf(role) ?? [])
  return [...new Set(added)].sort().map((client_id) => keepRegistration({ client_id, expires_at_ms: neverMs }))
}
