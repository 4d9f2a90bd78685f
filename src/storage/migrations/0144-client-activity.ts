import type { Kysely } from 'kysely'

/**
 * Adds counts of what each client did in a day: a row for a client that got tokens that day, added to every few seconds beside
 * requests, and kept for 401 days. They go with the client.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('client_activity')
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
    .addColumn('day_ms', 'bigint', (column) => column.notNull())
    .addColumn('sign_ins', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('client_activity_key', ['client_id', 'day_ms'])
    .execute()
  await db.schema.createIndex('client_activity_by_day').on('client_activity').column('day_ms').execute()
}
