import { type Kysely, sql } from 'kysely'

/**
 * Refusals are in chains of their own, named with an `r` in front, and are removed sooner than other entries: the oldest
 * of them are found by an index that has nothing else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_refusals_by_time')
    .on('audit_entries')
    .columns(['at_ms', 'writer', 'seq'])
    .where(sql<boolean>`writer >= 'r'`)
    .execute()
}
