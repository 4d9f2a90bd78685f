import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the consents of a client, which its deletion takes along: the key of the table begins with the user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'authorizations_by_client', table: 'authorizations', of: sql`(client_id)` })
}
