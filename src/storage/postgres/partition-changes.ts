/** Changes of the tables of the audit trail beside requests: each gives way to them, and none reads a table under a lock. */
import type postgres from 'postgres'
import { isHeldUp } from './errors.ts'
import { inTransaction } from './pool.ts'

/** The check constraint with which PostgreSQL attaches a table without reading it. */
export const bound = 'audit_entries_until'
/** Requests wait behind a lock that is waited for. */
export const lockMs = 200

/** A change of the schema gives way to requests soon, and may take its time otherwise. */
export async function beginPatiently(sql: postgres.TransactionSql): Promise<void> {
  await sql.unsafe(`set local lock_timeout = ${lockMs}`)
  await sql.unsafe('set local statement_timeout = 0')
  await sql.unsafe('set local idle_in_transaction_session_timeout = 0')
}

export async function lock(sql: postgres.TransactionSql): Promise<void> {
  await sql.unsafe(`set local lock_timeout = ${lockMs}`)
  await sql.unsafe('lock table audit_entries in access exclusive mode')
}

export async function create(sql: postgres.TransactionSql, name: string): Promise<void> {
  await sql.unsafe(`create table ${name} (like audit_entries including all)`)
}

export async function attach(
  sql: postgres.TransactionSql,
  name: string,
  fromMs: number | null,
  beforeMs: number | null,
) {
  const bounds = `from (${fromMs ?? 'minvalue'}) to (${beforeMs ?? 'maxvalue'})`
  await sql.unsafe(`alter table audit_entries attach partition ${name} for values ${bounds}`)
}

/** Adds the bound `at_ms < untilMs`. The table is read while others write, and not once more when it is attached. */
export async function addBound(sql: postgres.Sql, table: string, untilMs: number, tries: number): Promise<void> {
  await dropBound(sql, table, tries)
  await change(sql, table, `add constraint ${bound} check (at_ms < ${untilMs}) not valid`, tries)
  await change(sql, table, `validate constraint ${bound}`, tries)
}

export const dropBound = (sql: postgres.Sql, table: string, tries: number): Promise<void> =>
  change(sql, table, `drop constraint if exists ${bound}`, tries)

const change = (sql: postgres.Sql, table: string, text: string, tries: number): Promise<void> =>
  giveWay(tries, () =>
    inTransaction(sql, async (transaction) => {
      await beginPatiently(transaction)
      await transaction.unsafe(`alter table ${table} ${text}`)
    }),
  )

/** Tries of a command, and of each node in ten minutes: requests wait behind each of them. */
export const [patient, modest] = [60, 3]
/** Repeats what gave way to requests that hold the table, once a second. */
export async function giveWay(tries: number, work: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (tried === tries || !isHeldUp((error as Error).cause ?? error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
