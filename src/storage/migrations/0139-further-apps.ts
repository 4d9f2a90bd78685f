import type { Kysely } from 'kysely'

/** Adds authenticator apps beside the first one, and what people call it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('second_factors').addColumn('totp_name', 'text').execute()
  await db.schema.alterTable('second_factors').addColumn('further_apps', 'text').execute()
}
