import type { Kysely } from 'kysely'

/** Adds what a known browser called itself, for the list of its owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('known_browsers').addColumn('user_agent', 'text').execute()
}
