import type { Kysely } from 'kysely'

/** The session in which the code of a grant was issued; null: not recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('session_id', 'text').execute()
}
