import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the grants of one person. Written once for each grant: no rotation changes these columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'grants_by_user', table: 'grants', of: sql`(user_id, client_id)` })
}
