import type { Kysely } from 'kysely'

/** Runs in its own transaction: one that has already changed rows could deadlock with others that wait for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('users_by_name_skeleton').unique().on('users').column('name_skeleton').execute()
}
