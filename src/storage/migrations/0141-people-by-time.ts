import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Lists people by the time when their account was made. Written once for each person: no change of them moves it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'users_by_created', table: 'users', of: sql`(created_at_ms, id)` })
}
