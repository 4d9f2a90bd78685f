import type { Kysely } from 'kysely'

/** Adds whether a person has another password since the one that an import brought. A hash that a sign-in stored anew is the same password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('imported_passwords')
    .addColumn('replaced', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
