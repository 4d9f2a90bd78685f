import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Reads invitations page by page, in the order in which they were sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, {
    name: 'confirmations_invitations',
    table: 'confirmations',
    of: sql`(id) where purpose = 'invite'`,
  })
}
