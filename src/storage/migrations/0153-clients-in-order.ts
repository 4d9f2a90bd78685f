import { type Kysely, sql } from 'kysely'
import { createIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/**
 * Lists clients by their name, whatever the case of its ASCII letters, and by the time when they were registered. No request of a
 * protocol writes to a client.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const name = isPostgres(db) ? sql`(lower(name collate "C"))` : sql`lower(name)`
  await createIndexOnline(db, { name: 'clients_by_name', table: 'clients', of: sql`(${name}, id) where deleted = 0` })
  await createIndexOnline(db, {
    name: 'clients_by_created',
    table: 'clients',
    of: sql`(created_at_ms, id) where deleted = 0`,
  })
}
