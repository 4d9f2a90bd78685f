import type { Kysely } from 'kysely'

/**
 * Adds browsers that signed in as a user before, and the time since which an account has been under attack. Every
 * sign-in writes a browser, so it has no foreign key (see the first migration). It is removed with its user or when it
 * expires.
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
  // Finds the browsers to remove with a user, and a user's surplus ones.
  await db.schema.createIndex('known_browsers_by_user').on('known_browsers').column('user_id').execute()
}
