import type { Kysely } from 'kysely'

/** What a user name looks like (UTS 39 §4), so that no other name looks the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('name_skeleton', 'text').execute()
}
