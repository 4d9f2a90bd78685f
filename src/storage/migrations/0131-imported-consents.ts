import type { Kysely } from 'kysely'

/** Adds consents of another system whose person or client may not be there yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imported_consents')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('by_operator', 'integer', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('imported_consents_key', ['user_id', 'client_id', 'scopes'])
    .execute()
  // For the deletion of a client, and for the sweep.
  for (const column of ['client_id', 'since_ms']) {
    await db.schema.createIndex(`imported_consents_by_${column}`).on('imported_consents').column(column).execute()
  }
}
