import type { Kysely } from 'kysely'

/** Adds the outbox of mails. Only those that are queued are in the index that is read every second. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at_ms', 'bigint')
    .addColumn('error', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('ends_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mails_by_next_attempt').on('mails').column('next_at_ms').execute()
}
