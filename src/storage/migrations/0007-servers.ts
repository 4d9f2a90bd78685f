import type { Kysely } from 'kysely'

/**
 * Adds the servers that use the database, and where it was moved to. Both describe this database rather than its
 * content, so copies omit them. `moves` has a single row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('servers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'bigint', (column) => column.notNull())
    .addColumn('started_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('moves')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('moved_to', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('settled', 'integer', (column) => column.notNull())
    .execute()
}
