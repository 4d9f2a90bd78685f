import type { Kysely } from 'kysely'

/** Adds when recovery codes were made, and the wrong codes of a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('second_factors').addColumn('recovery_since_ms', 'bigint').execute()
  await db.schema.alterTable('second_factors').addColumn('wrong_codes', 'text').execute()
}
