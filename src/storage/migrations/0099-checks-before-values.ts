import type { Kysely } from 'kysely'

/** Adds to each value of an attribute the checks that were before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('attribute_values')
    .addColumn('checks', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
