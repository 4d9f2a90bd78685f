import type { Kysely } from 'kysely'

/** Adds how often the values of an attribute were checked against another type. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('attributes')
    .addColumn('checks', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
