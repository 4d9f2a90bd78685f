import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the clients with a service account of their own. The condition is that of the statement in `sql/service-accounts.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(id) where replace(metadata, '"service_account_', '') <> metadata`
  await createIndexOnline(db, { name: 'clients_with_accounts', table: 'clients', of })
}
