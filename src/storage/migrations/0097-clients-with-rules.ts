import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the clients that have rules of claims, among all that there are. The condition is that of the statement in `sql/client-searches.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(id) where replace(metadata, '"claims":[', '') <> metadata`
  await createIndexOnline(db, { name: 'clients_with_rules', table: 'clients', of })
}
