import type { Kysely } from 'kysely'

/** Adds the client metadata that differs from the defaults, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('metadata', 'text').execute()
}
