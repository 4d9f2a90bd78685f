import type { Kysely } from 'kysely'

/** Adds what codes and links by mail confirm. There is one row for each purpose and subject: the newest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('confirmations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('browser_hash', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('confirmed_at_ms', 'bigint')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('confirmations_subject', ['purpose', 'subject'])
    .execute()
  // Deleting a user looks for rows that refer to it.
  await db.schema.createIndex('confirmations_user').on('confirmations').column('user_id').execute()
}
