import { type Kysely, sql } from 'kysely'
import { createIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/**
 * Finds people by the beginning of their name or address. SQLite compares bytes already; PostgreSQL does so with this
 * collation alone, whatever that of the database is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  for (const column of ['normalized_name', 'normalized_email']) {
    const of = sql`(${sql.ref(column)} collate "C")`
    await createIndexOnline(db, { name: `users_search_${column}`, table: 'users', of })
  }
}
