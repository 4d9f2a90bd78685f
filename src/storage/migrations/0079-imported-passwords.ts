import type { Kysely } from 'kysely'

/** Adds which password of another system a person came with: parameters and salt of its hash, hashed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imported_passwords')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('mark', 'text', (column) => column.notNull())
    .execute()
}
