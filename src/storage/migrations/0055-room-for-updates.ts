import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Leaves room in the pages of rows that requests change: a changed row then stays in its page, and no index is written
 * (HOT updates). Pages that are full get it when their rows move. What is expired is collected before it is a fifth of a
 * large table, which is the default. The locks stop neither reads nor writes. No other engine has these settings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  if (!rows[0]?.version.startsWith('PostgreSQL')) return
  for (const [table, fillfactor] of Object.entries({ grants: 80, sessions: 90, known_browsers: 85, users: 90 })) {
    await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(fillfactor)},
      autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(db)
  }
}
