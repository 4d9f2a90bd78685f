import type { Kysely } from 'kysely'

/** Adds counts of what happened in each hour: a row an hour, written every few seconds and kept for 401 days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  let table = db.schema.createTable('activity_hours').addColumn('hour_ms', 'bigint', (column) => column.primaryKey())
  for (const kind of ['sign_in', 'sign_in_failed', 'tokens_issued', 'refusal', 'error'] as const) {
    table = table.addColumn(kind, 'bigint', (column) => column.notNull())
  }
  await table.execute()
}
