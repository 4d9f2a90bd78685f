import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the clients whose scripts have origins of their own. The condition is that of the statement in `sql/client-searches.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(id) where replace(metadata, '"allowed_origins":[', '') <> metadata`
  await createIndexOnline(db, { name: 'clients_with_origins', table: 'clients', of })
}
