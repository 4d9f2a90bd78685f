import type { Kysely } from 'kysely'

/** Adds the keys under which requests of the admin API were carried out, with their answers (null: not stored yet). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
