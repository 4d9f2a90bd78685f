import type { Kysely } from 'kysely'

/**
 * Adds the clients that a session signed in to, as far as they registered a logout address, and the outbox of logout
 * tokens. Other clients write neither table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_clients')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('sid', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('session_clients_key', ['session_id', 'client_id', 'sid'])
    .execute()
  await db.schema.createIndex('session_clients_of_user').on('session_clients').column('user_id').execute()
  await db.schema
    .createTable('logout_notices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sid', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('logout_notices_by_due_time').on('logout_notices').columns(['due_at_ms', 'id']).execute()
}
