import type { Kysely } from 'kysely'

/** Adds the values of declared attributes, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('attributes', 'text').execute()
}
