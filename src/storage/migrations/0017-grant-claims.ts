import type { Kysely } from 'kysely'

/** Adds the claims that the request of a grant asked for one by one, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('claims', 'text').execute()
}
