import { type Kysely, sql } from 'kysely'

/** Finds the activity of one person, newest first. Issued tokens and refusals, of which there are most, do not write it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_activity')
    .on('audit_entries')
    .columns(['user_id', 'at_ms', 'writer', 'seq'])
    .where(sql<boolean>`user_id is not null and kind <> 'tokens_issued' and kind <> 'refusal'`)
    .execute()
}
