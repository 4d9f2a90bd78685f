import type { Kysely } from 'kysely'

/** Adds fields of people that an operator declares. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attributes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
}
