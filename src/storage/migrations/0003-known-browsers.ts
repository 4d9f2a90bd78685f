import type { Kysely } from 'kysely'

/**
 * Browsers that signed in as a user before, and since when an account is attacked. A browser is written on the way of a
 * sign-in, and so it has no foreign key: see the first migration. It is removed with its user, or when it expires.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('lockout_began_at_ms', 'bigint').execute()
  await db.schema
    .createTable('known_browsers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('failed_attempts', 'integer', (column) => column.notNull())
    .addColumn('locked_until_ms', 'bigint')
    .execute()
  // Finds what to remove with a user, and which browsers of a user are too many.
  await db.schema.createIndex('known_browsers_by_user').on('known_browsers').column('user_id').execute()
}
