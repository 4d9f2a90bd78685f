import type { Kysely } from 'kysely'

/** Adds where records came from, with hashes of the values that the source had at its last import: a later one finds what changed since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('import_origins')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('source_key', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('marks', 'text')
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_origins_key', ['kind', 'origin', 'source_key'])
    .execute()
  // For the deletion of a person.
  await db.schema.createIndex('import_origins_by_id').on('import_origins').column('id').execute()
}
