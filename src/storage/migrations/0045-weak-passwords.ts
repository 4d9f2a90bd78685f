import type { Kysely } from 'kysely'

/** Adds the imported people whose password hash is weak and has to be wrapped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('weak_passwords')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .execute()
}
