import type { Kysely } from 'kysely'

/** Adds when an account is deleted because its owner asked for it. The index covers those accounts alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('deletion_due_at_ms', 'bigint').execute()
  await db.schema
    .createIndex('users_by_deletion')
    .on('users')
    .column('deletion_due_at_ms')
    .where('deletion_due_at_ms', 'is not', null)
    .execute()
}
