import type { Kysely } from 'kysely'

/** Adds what the next sign-in of a person asks for, and whether a second factor of another system could not come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('required_actions', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('had_second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
