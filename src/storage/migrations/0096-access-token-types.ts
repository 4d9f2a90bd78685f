import type { Kysely } from 'kysely'

/** Adds the type of access tokens for the resources of a scope. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scopes').addColumn('access_token_type', 'text').execute()
}
