import type { Kysely } from 'kysely'

/** Adds names and descriptions of scopes in languages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scopes').addColumn('localized', 'text').execute()
}
