import type { Kysely } from 'kysely'

/** Adds the session in which the code of a grant was issued; null: unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('session_id', 'text').execute()
}
