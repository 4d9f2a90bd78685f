import type { Kysely } from 'kysely'

/**
 * Adds pairwise subject identifiers that imports brought. The column of a person repeats those of the table, so that they are read
 * with the person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('pairwise_subjects', 'text').execute()
  await db.schema
    .createTable('pairwise_subjects')
    .addColumn('sector', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('pairwise_subjects_key', ['sector', 'subject'])
    .execute()
  await db.schema
    .createIndex('pairwise_subjects_by_user')
    .unique()
    .on('pairwise_subjects')
    .columns(['user_id', 'sector'])
    .execute()
}
