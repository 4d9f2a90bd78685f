import type { Kysely } from 'kysely'

/** Adds what an import found beside the reason why a record is left out. A record that came has an empty reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_failures').addColumn('found', 'text').execute()
}
