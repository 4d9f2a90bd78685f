import type { Kysely } from 'kysely'

/** Adds what an operator gives with an initial access token: grant types and scopes, as JSON. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('registration_tokens').addColumn('permits', 'text').execute()
}
