import type { Kysely } from 'kysely'

/** Adds the key to which the refresh tokens of a grant are bound, as JSON; null: not bound. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('confirmation', 'text').execute()
}
