import { type Kysely, sql } from 'kysely'

/**
 * Marks signing keys that clients alone asked for; of keys that are there already nobody knows. Finds the clients of
 * operators beside any number that registered themselves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('for_clients', 'integer').execute()
  await sql`create index clients_of_operators on clients (id) where
    replace(replace(coalesce(metadata, ''), '"registration":"open"', ''), '"registration":"document"', '') = coalesce(metadata, '')`.execute(
    db,
  )
}
