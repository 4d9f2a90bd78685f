import { type Kysely, sql } from 'kysely'

/**
 * Refusals have chains of their own, with the prefix `r`, and are removed sooner than other entries. A partial index
 * finds the oldest of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_refusals_by_time')
    .on('audit_entries')
    .columns(['at_ms', 'writer', 'seq'])
    .where(sql<boolean>`writer >= 'r'`)
    .execute()
}
