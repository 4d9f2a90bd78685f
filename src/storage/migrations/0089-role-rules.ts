import type { Kysely } from 'kysely'

/** Adds what a role includes (a list; null: nothing), and whether everybody has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('roles').addColumn('includes', 'text').execute()
  await db.schema
    .alterTable('roles')
    .addColumn('is_default', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
