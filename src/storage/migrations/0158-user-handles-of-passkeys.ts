import type { Kysely } from 'kysely'

/** Adds the user handle that an authenticator keeps of another system, where it is not the id of the person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('passkeys').addColumn('user_handle', 'text').execute()
}
