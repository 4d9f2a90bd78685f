import type { Kysely } from 'kysely'

/**
 * What was deleted and is not yet taken from every row that has it, the mark of a client of this kind, and the work that one
 * process at a time does for all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('removals')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('after_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('removals_key', ['kind', 'name'])
    .execute()
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .alterTable('clients')
    .addColumn('deleted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
