import type { Kysely } from 'kysely'

/** Adds the looks that an operator gave the pages and mails: at most one row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('branding')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('members', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updated_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
