import type { Kysely } from 'kysely'

/** Adds how often the values of an attribute were checked against another type, and to each value the checks that were before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['attributes', 'attribute_values']) {
    await db.schema
      .alterTable(table)
      .addColumn('checks', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
