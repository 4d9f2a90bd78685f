import type { Kysely } from 'kysely'

/** Adds pushed authorization requests (RFC 9126). The sweeper removes expired ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pushed_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('signed', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('opens_until_ms', 'bigint', (column) => column.notNull())
    .addColumn('completed_at_ms', 'bigint')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
