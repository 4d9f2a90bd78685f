import type { Kysely } from 'kysely'

/** Clients can be changed, and a secret can be replaced while the one before still counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('previous_secret_hash', 'text').execute()
  await db.schema.alterTable('clients').addColumn('previous_secret_ends_at_ms', 'bigint').execute()
  await db.schema
    .alterTable('clients')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
