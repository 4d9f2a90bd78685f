import type { Kysely } from 'kysely'

/** Adds whether the manufacturer of a passkey's authenticator was proved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('passkeys')
    .addColumn('attested', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
