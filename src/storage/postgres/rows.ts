/** Row-level access to a PostgreSQL database, for copies and backups. */
import postgres from 'postgres'
import { StorageUnavailable } from '../port/unavailable.ts'
import { knownTables, type Row, type RowReader, type RowStore, rowsInBatch } from '../rows.ts'
import { arriving, type TableName, tables } from '../sql/tables.ts'
import { place } from './address.ts'
import { hasNoSuchText, toError } from './errors.ts'
import { rareConnectionOptions } from './options.ts'
import { inTransaction } from './pool.ts'

/** How long to wait for other sessions to release the tables. */
const lockTimeoutMs = 10_000

/** `url` names one server. */
export function openPostgresRows(url: string): RowStore {
  const sql = postgres(url, { ...rareConnectionOptions, fetch_types: false })

  async function guard<T>(work: () => Promise<unknown>): Promise<T> {
    try {
      return (await work()) as T
    } catch (error) {
      throw toError(error, place(url))
    }
  }

  return {
    version: () =>
      guard(async () => {
        const [row] = await sql`select version() as version`
        return String(row?.version).split(' ', 2).join(' ')
      }),
    sizeBytes: () =>
      guard(async () => {
        const [row] = await sql`select pg_database_size(current_database()) as size`
        return Number(row?.size)
      }),
    snapshot: (work) =>
      guard(() =>
        inTransaction(
          sql,
          async (transaction) => {
            await setLimits(transaction)
            return work(readerOf(transaction))
          },
          'isolation level repeatable read read only',
        ),
      ),
    fill: (work) =>
      guard(() =>
        inTransaction(sql, async (transaction) => {
          await setLimits(transaction)
          // Running servers keep reading, and write again afterwards; none of their writes interleaves.
          await transaction`lock table ${transaction([...tables, 'moves'])} in exclusive mode`
          return work({
            ...readerOf(transaction),
            insert: (table, rows) => insert(transaction, table, rows),
            async clear() {
              for (const table of tables.toReversed()) await transaction`delete from ${transaction(table)}`
            },
            isArriving: async () => (await transaction`select 1 from moves where name = ${arriving}`).length > 0,
            async markArrival({ from, atMs }) {
              await transaction`insert into moves (name, moved_to, at_ms, settled) values (${arriving}, ${from}, ${atMs}, 0)
                on conflict (name) do update set moved_to = excluded.moved_to, at_ms = excluded.at_ms`
            },
          })
        }),
      ),
    // Nothing is in progress any more. Without the timeout, `end` would wait for a statement whose connection was lost.
    close: () => sql.end({ timeout: 0 }),
  }
}

/** Moving all rows takes as long as it takes. Waiting for others does not. */
async function setLimits(transaction: postgres.TransactionSql): Promise<void> {
  await transaction`select
    set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`
}

function readerOf(sql: postgres.TransactionSql): RowReader {
  return {
    async tables() {
      const found = await sql`select table_name from information_schema.tables where table_schema = current_schema()`
      return knownTables(found.map((row) => String(row.table_name)))
    },
    async count(table) {
      const [row] = await sql`select count(*) as rows from ${sql(table)}`
      return Number(row?.rows)
    },
    async *rows(table) {
      yield* sql<Row[]>`select * from ${sql(table)}`.cursor(rowsInBatch)
    },
  }
}

async function insert(sql: postgres.TransactionSql, table: TableName, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  try {
    await sql`insert into ${sql(table)} ${sql(rows as Row[], columns)}`
  } catch (error) {
    if (!hasNoSuchText(error)) throw error
    const message = `PostgreSQL cannot hold a text of ${table}: it has a NUL character. Nothing was stored.`
    throw new StorageUnavailable(message, { cause: error })
  }
}
