import type { Kysely } from 'kysely'

/** Adds the skeleton of a user name (UTS 39 §4), so that no two names look the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('name_skeleton', 'text').execute()
}
