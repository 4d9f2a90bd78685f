import type { Kysely } from 'kysely'

/** In a transaction of its own: one that has changed rows before would deadlock with others that wait for these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('users_by_name_skeleton').unique().on('users').column('name_skeleton').execute()
}
