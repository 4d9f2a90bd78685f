import { type Kysely, sql } from 'kysely'
import { createIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/**
 * Lists and counts those who are locked, and those whose address is not confirmed, by name. Most people are neither, and have no
 * entry. The name is compared byte by byte, as in `users_search_normalized_name`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const name = isPostgres(db) ? sql`normalized_name collate "C"` : sql`normalized_name`
  await createIndexOnline(db, {
    name: 'users_locked',
    table: 'users',
    of: sql`(${name}) where (disabled = 1 or locked_until_ms is not null)`,
  })
  await createIndexOnline(db, {
    name: 'users_unconfirmed',
    table: 'users',
    of: sql`(${name}) where email_confirmed = 0`,
  })
}
