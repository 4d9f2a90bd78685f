/** A single attempt at a commit: statements and audit entries in as few round trips as possible. */
import type postgres from 'postgres'
import type { EntryRow } from '../audit-rows.ts'
import type { Committed } from '../engine.ts'
import type { Statement } from '../sql/statement.ts'
import { insertionOf, recording, recordingAll } from './audit.ts'
import { isDivisionByZero } from './errors.ts'
import { inTransaction } from './pool.ts'

/**
 * Sends a single statement, or independent ones, with their audit entries in one round trip without an explicit
 * transaction. `entries`: the rows of the audit entries.
 */
export async function commitOnce(
  pool: postgres.Sql,
  statements: readonly Statement[],
  entries: readonly EntryRow[],
): Promise<Committed> {
  const [first, ...more] = statements
  if (!first) {
    if (entries.length > 0) await send(pool, insertionOf(entries))
    return { applied: true, changes: [] }
  }
  if (more.length === 0) {
    const count = await runRecorded(pool, first, entries)
    return first.mustChange && count === 0 ? { applied: false, changes: [] } : { applied: true, changes: [count] }
  }
  return (await runTogether(pool, statements, entries)) ?? runOneByOne(pool, statements, entries)
}

/**
 * Sends conditional statements as one, in one round trip. Undefined: they cannot be combined, or a condition failed,
 * and a transaction has to find out which. Nothing was stored then.
 */
async function runTogether(
  pool: postgres.Sql,
  statements: readonly Statement[],
  entries: readonly EntryRow[],
): Promise<Committed | undefined> {
  const [first, ...others] = statements
  if (!first?.mustChange || !others.every(({ mustChange, independent }) => mustChange && independent)) return undefined
  const acts = statements.map((statement) => statement.toSql('postgres'))
  if (new Set(acts.map(({ text }) => text)).size < acts.length) return undefined
  try {
    await send(pool, recordingAll(acts, entries))
    // Each of them names one row.
    return { applied: true, changes: statements.map(() => 1) }
  } catch (error) {
    if (isDivisionByZero(error)) return undefined
    throw error
  }
}

async function runOneByOne(
  pool: postgres.Sql,
  statements: readonly Statement[],
  entries: readonly EntryRow[],
): Promise<Committed> {
  const changes: number[] = []
  try {
    await inTransaction(pool, async (transaction) => {
      for (const statement of statements) {
        const { count } = await run(transaction, statement)
        if (statement.mustChange && count === 0) throw new NotApplied()
        changes.push(count)
      }
      if (entries.length > 0 && changes.some((rows) => rows > 0)) await send(transaction, insertionOf(entries))
    })
    return { applied: true, changes }
  } catch (error) {
    if (error instanceof NotApplied) return { applied: false, changes }
    throw error
  }
}

/** Aborts a transaction so that it is rolled back. */
class NotApplied extends Error {}

/** Returns the number of rows that the statement changed. */
async function runRecorded(sql: postgres.Sql, statement: Statement, entries: readonly EntryRow[]): Promise<number> {
  if (entries.length === 0) return (await run(sql, statement)).count
  const [row] = await send(sql, recording(statement.toSql('postgres'), entries))
  return Number(row?.changed)
}

export function run(sql: postgres.Sql | postgres.TransactionSql, statement: Statement) {
  return send(sql, statement.toSql('postgres'))
}

function send(
  sql: postgres.Sql | postgres.TransactionSql,
  { text, parameters, prepare = true }: ReturnType<Statement['toSql']> & { readonly prepare?: boolean },
) {
  return sql.unsafe(text, parameters, { prepare })
}
