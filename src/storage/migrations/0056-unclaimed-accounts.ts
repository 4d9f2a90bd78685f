import type { Kysely } from 'kysely'

/** Marks accounts that a provider's registration made with an address that nobody has proved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('unclaimed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
