import type { Kysely } from 'kysely'

/** Adds who names the people of an external provider, with whom links are bound: another source may give one name to somebody else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('provider_sources')
    .addColumn('provider', 'text', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .execute()
}
