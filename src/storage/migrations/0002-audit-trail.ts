import { type Kysely, sql } from 'kysely'

/**
 * Entries are appended at the right edge of their key and never change. They outlive the records they describe and
 * therefore have no foreign keys. The only other index covers refusals alone, so successful requests do not write it: a
 * refused user quotes a trace id and nothing else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('writer', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('trace_id', 'text')
    .addColumn('address', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_entries_key', ['at_ms', 'writer', 'seq'])
    .execute()
  await db.schema
    .createIndex('audit_refusals_by_trace')
    .on('audit_entries')
    .column('trace_id')
    .where(sql<boolean>`kind = 'refusal'`)
    .execute()

  await db.schema
    .createTable('audit_checkpoints')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('statement', 'text', (column) => column.notNull())
    .execute()
}
