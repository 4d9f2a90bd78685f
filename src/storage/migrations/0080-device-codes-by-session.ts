import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the devices that were let in within a session, and end with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(user_id, session_id)`
  await createIndexOnline(db, { name: 'device_codes_by_session', table: 'device_codes', of })
}
