import type { Kysely } from 'kysely'

/** Adds the grant types of a client; null: the types that every client had before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('grant_types', 'text').execute()
}
