import type { Kysely } from 'kysely'

/** Adds the name of what an installation was filled from, such as a realm, for each kind of source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('import_sources')
    .addColumn('kind', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .execute()
}
