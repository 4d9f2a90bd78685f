import type { Kysely } from 'kysely'

/**
 * Finds people by the words of their full name and by their roles. Running services add those of the people who are there
 * already (`user_search_fills`), so that a start does not wait for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_search_keys')
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_search_keys_primary', ['key', 'user_id'])
    .execute()
  await db.schema.createIndex('user_search_keys_by_user').on('user_search_keys').column('user_id').execute()
  await db.schema
    .createTable('user_search_fills')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('after_id', 'text', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull())
    .addColumn('began_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull())
    .execute()
}
