import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the few administrators among all people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(id) where replace(roles, '"latchkey-admin"', '') <> roles`
  await createIndexOnline(db, { name: 'users_administrators', table: 'users', of })
}
