import type { Kysely } from 'kysely'

/** Adds whether a passkey is a second factor alone, and the model of its authenticator, as another system kept them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('passkeys')
    .addColumn('second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('passkeys').addColumn('aaguid', 'text').execute()
}
