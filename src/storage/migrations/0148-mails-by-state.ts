import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Reads the mails in a state page by page, such as the few failed ones among many that were sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, { name: 'mails_by_state', table: 'mails', of: sql`(state, id)` })
}
