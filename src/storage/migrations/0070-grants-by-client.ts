import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the grants of a client, which go with it. Written once for each grant: no rotation changes the column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'grants_by_client', table: 'grants', of: sql`(client_id)` })
}
