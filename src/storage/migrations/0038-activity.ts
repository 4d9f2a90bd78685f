import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Finds the activity of one person, newest first. Issued tokens and refusals, of which there are most, do not write it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(user_id, at_ms, writer, seq)
    where user_id is not null and kind <> 'tokens_issued' and kind <> 'refusal'`
  await createIndexOnline(db, { name: 'audit_activity', table: 'audit_entries', of })
}
