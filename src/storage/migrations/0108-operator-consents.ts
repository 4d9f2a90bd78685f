import type { Kysely } from 'kysely'

/** Adds whether an operator stored a consent: 1. Null: the person gave it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('authorizations').addColumn('by_operator', 'integer').execute()
}
