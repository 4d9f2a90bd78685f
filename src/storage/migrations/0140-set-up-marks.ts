import { type Kysely, sql } from 'kysely'

/** Adds what was done to set an installation up. Whoever has people by now has set theirs up in another way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('set_up_marks')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
  for (const name of ['ended', 'hidden']) {
    await sql`insert into set_up_marks (name, at_ms)
      select ${sql.lit(name)}, created_at_ms from users limit 1`.execute(db)
  }
}
