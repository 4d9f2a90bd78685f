import { type Kysely, sql } from 'kysely'
import { createIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/** Adds when an account is deleted because its owner asked for it. The index covers those accounts alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    // The transaction gives up a lock that requests would wait behind.
    await db
      .transaction()
      .execute((one) => sql`alter table users add column if not exists deletion_due_at_ms bigint`.execute(one))
  } else await db.schema.alterTable('users').addColumn('deletion_due_at_ms', 'bigint').execute()
  const of = sql`(deletion_due_at_ms) where deletion_due_at_ms is not null`
  await createIndexOnline(db, { name: 'users_by_deletion', table: 'users', of })
}
