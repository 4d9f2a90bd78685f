/**
 * The deletion of a client: its row is marked and emptied, and what it has is removed in windows (`removals.ts`). Its id, which
 * people choose, is free again after that.
 */
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { removalOf } from './removals.ts'
import type { Statement } from './statement.ts'

/**
 * Empties the record, so that it is of no use to a program of the version before, either, which does not know the mark. Every
 * decision on the version before it fails. `version` null: any.
 */
const mark = prepare('client-deletion.mark', (db, p: Placeholders<{ id: string; version: number | null }>, { sql }) =>
  db
    .updateTable('clients')
    .set({
      deleted: sql.lit(1),
      name: sql.lit(''),
      type: sql.lit('confidential'),
      secret_hash: sql.lit(null),
      previous_secret_hash: sql.lit(null),
      previous_secret_ends_at_ms: sql.lit(null),
      redirect_uris: sql.lit('[]'),
      post_logout_redirect_uris: sql.lit('[]'),
      scopes: sql.lit('[]'),
      grant_types: sql.lit('[]'),
      metadata: sql.lit(null),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', p.id)
    .where('deleted', '=', sql.lit(0))
    .where(sql<boolean>`version = coalesce(cast(${p.version} as integer), version)`),
)
const deleteRegistration = prepare('client-deletion.registration', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('client_registrations').where('client_id', '=', p.id),
)
/** For a client that nobody used: it has no grants, no consents and no sessions. */
export const deleteUnused = prepare('client-deletion.unused', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('clients').where('id', '=', p.id),
)

/** Returns the commit that deletes a client, if it has the version (default: any). `removeSoon` follows. */
export function deletionOfClient(id: string, version: number | null = null): Statement[] {
  return [mustChange(mark({ id, version })), removalOf({ kind: 'client', name: id }), deleteRegistration({ id })]
}
