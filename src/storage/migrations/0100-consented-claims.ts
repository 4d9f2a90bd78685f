import type { Kysely } from 'kysely'

/** Adds which claims of rules a consent was given to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('authorizations').addColumn('claims', 'text').execute()
}
