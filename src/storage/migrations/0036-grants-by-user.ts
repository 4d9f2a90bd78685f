import type { Kysely } from 'kysely'

/** Finds the grants of one person. Written once for each grant: no rotation changes these columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('grants_by_user').on('grants').columns(['user_id', 'client_id']).execute()
}
