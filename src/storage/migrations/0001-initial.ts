import type { Kysely } from 'kysely'

/**
 * Primary keys are time-ordered texts (UUIDv7) for rows that requests create: new rows share pages, so durable commits
 * touch few of them.
 *
 * Tables that requests write (sessions, grants, revoked tokens, spent values) have no foreign keys and no index on an
 * expiry: both would cost a write or a lock at every sign-in and rotation. Such a row becomes unreachable when its user
 * is deleted, because every query joins the user. The sweeper removes it when it expires.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('normalized_name', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('normalized_email', 'text', (column) => column.notNull().unique())
    .addColumn('email_confirmed', 'integer', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('disabled', 'integer', (column) => column.notNull())
    .addColumn('locked_until_ms', 'bigint')
    .addColumn('failed_attempts', 'integer', (column) => column.notNull())
    .addColumn('sessions_ended_at_ms', 'bigint')
    .addColumn('grants_ended_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('external_logins')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    // Deleted with its user: an orphaned login could never be bound again.
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('external_logins_key', ['provider', 'subject'])
    .execute()
  await db.schema.createIndex('external_logins_by_user').on('external_logins').column('user_id').execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('authenticated_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('persistent', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('client_address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .execute()
  // Costs one write per sign-in, which is small beside the password hash. Finds the rows to remove with a user.
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()

  await db.schema
    .createTable('clients')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('consent', 'text', (column) => column.notNull())
    .addColumn('require_pkce', 'integer', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('post_logout_redirect_uris', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('scopes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('display_name', 'text')
    .addColumn('description', 'text')
    .addColumn('resources', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('authorizations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('scope_set', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('authorizations_by_scope_set', ['user_id', 'client_id', 'scope_set'])
    .execute()

  await db.schema
    .createTable('grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('authorization_id', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('resources', 'text', (column) => column.notNull())
    .addColumn('authenticated_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at_ms', 'bigint')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('generation', 'integer')
    .addColumn('salt', 'text')
    .addColumn('derivation_key_id', 'text')
    .addColumn('refresh_expires_at_ms', 'bigint')
    .addColumn('rotated_at_ms', 'text')
    .execute()

  await db.schema
    .createTable('revoked_access_tokens')
    .addColumn('jti', 'text', (column) => column.primaryKey())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('spent_values')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('use', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('public_jwk', 'text')
    .addColumn('wrapped', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('active_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('first_of', 'text', (column) => column.unique())
    .execute()
}
