import type { Kysely } from 'kysely'

/** Adds the claims about a user, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('claims', 'text').execute()
}
