import type { Kysely } from 'kysely'

/** Makes clients changeable, and lets the previous secret stay valid for a while after its replacement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('previous_secret_hash', 'text').execute()
  await db.schema.alterTable('clients').addColumn('previous_secret_ends_at_ms', 'bigint').execute()
  await db.schema
    .alterTable('clients')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
