import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the sessions that tell a client of their end: the key of the table begins with the session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'session_clients_by_client', table: 'session_clients', of: sql`(client_id)` })
}
