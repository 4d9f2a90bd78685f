import type { Kysely } from 'kysely'

/** Adds descriptions of roles. A role exists by being given to somebody, described or not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('roles')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('description', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
