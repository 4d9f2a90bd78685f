import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { heldUpState } from './engine.ts'

export type OnlineIndex = {
  readonly name: string
  readonly table: string
  /** Columns in parentheses, and a condition if there is one. */
  readonly of: RawBuilder<unknown>
  readonly isUnique?: boolean
}

export const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Whether the server is PostgreSQL itself, and no other that speaks its protocol: only it has settings of tables. */
export async function isPostgreSQL(db: Kysely<unknown>): Promise<boolean> {
  if (!isPostgres(db)) return false
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return rows[0]?.version.startsWith('PostgreSQL') === true
}

/**
 * Makes an index that may be large. PostgreSQL makes it without blocking writes to the table, which needs a migration that
 * runs outside a transaction (`online`). Running it again completes what was interrupted. Rejects as held up while
 * another process makes the same index.
 */
export async function createIndexOnline(
  db: Kysely<unknown>,
  { name, table, of, isUnique = false }: OnlineIndex,
): Promise<void> {
  const index = sql.id(name)
  const what = sql`${sql.raw(isUnique ? 'unique index' : 'index')}`
  if (!isPostgres(db)) {
    await sql`create ${what} if not exists ${index} on ${sql.id(table)} ${of}`.execute(db)
    return
  }
  const { rows } = await sql<{ valid: boolean; building: boolean }>`
    select indisvalid as valid,
      exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid) as building
    from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  const [found] = rows
  if (found?.valid) return
  if (found?.building) throw Object.assign(new Error(`Another process makes the index ${name}.`), { code: heldUpState })
  await withoutLimits(db, async () => {
    if (found) await sql`drop index concurrently if exists ${index}`.execute(db)
    await sql`create ${what} concurrently if not exists ${index} on ${sql.id(table)} ${of}`.execute(db)
  })
}

/**
 * Removes an index from PostgreSQL without blocking reads or writes of its table, which needs a migration that runs outside a
 * transaction (`online`). Running it again completes what was interrupted.
 */
export async function dropIndexOnline(db: Kysely<unknown>, name: string): Promise<void> {
  await withoutLimits(db, () => sql`drop index concurrently if exists ${sql.id(name)}`.execute(db))
}

/** The work waits for transactions that began before, and no request waits for it. The account may have limits of its own. */
async function withoutLimits(db: Kysely<unknown>, work: () => Promise<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`.execute(db)
  try {
    await work()
  } finally {
    await sql`reset lock_timeout`.execute(db)
    await sql`reset statement_timeout`.execute(db)
  }
}
