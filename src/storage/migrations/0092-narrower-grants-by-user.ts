import { type Kysely, sql } from 'kysely'
import { createIndexOnline, dropIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/**
 * Replaces the index of a person's grants by one without the client: every code writes an entry, at a place of its own. The
 * grants of a person are few enough to choose those of a client among them. On SQLite no page is logged as a whole for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await createIndexOnline(db, { name: 'grants_of_user', table: 'grants', of: sql`(user_id)` })
  await dropIndexOnline(db, 'grants_by_user')
}
