import type { Kysely } from 'kysely'

/** Adds device codes, from the request of a device to the end of their lifetime. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_codes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('user_code_hash', 'text', (column) => column.notNull().unique())
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('resources', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('ends_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('user_id', 'text')
    .addColumn('authorization_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('authenticated_at_ms', 'bigint')
    .addColumn('method', 'text')
    .addColumn('answered_at_ms', 'bigint')
    .execute()
}
