/** A reading, or a commit: statements, audit entries and mails in as few round trips as possible. */
import { setTimeout as wait } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Committed } from '../engine.ts'
import type { Statement, Value } from '../sql/statement.ts'
import { insertionOf, type Recorded, recording, recordingAll } from './audit.ts'
import { hasNoSuchText, isDivisionByZero, isLostRace } from './errors.ts'
import type { Send } from './gathered-text.ts'
import { inTransaction } from './pool.ts'

/** Attempts at a commit that lost a race for locks. CockroachDB relies on such retries. */
const commitAttempts = 5

/** Retries a commit that lost a race for locks. */
export async function commitInTurns(
  pool: postgres.Sql,
  statements: readonly Statement[],
  recorded: Recorded,
  prepared: boolean,
): Promise<Committed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commitOnce(pool, statements, recorded, prepared)
    } catch (error) {
      if (attempt === commitAttempts || !isLostRace(error)) throw error
      await wait(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * Sends a single statement, or independent ones, with their audit entries and mails in one round trip without an explicit
 * transaction. `recorded`: the rows of the audit entries and mails. `prepared`: whether the server may keep the statements.
 */
async function commitOnce(
  pool: postgres.Sql,
  statements: readonly Statement[],
  recorded: Recorded,
  prepared: boolean,
): Promise<Committed> {
  const [first, ...more] = statements
  if (!first) {
    if (recorded.entries.length > 0) await send(pool, insertionOf(recorded), prepared)
    return { applied: true, changes: [] }
  }
  if (more.length === 0) {
    const count = await runRecorded(pool, first, recorded, prepared)
    return first.mustChange && count === 0 ? { applied: false, changes: [] } : { applied: true, changes: [count] }
  }
  const together = await runTogether(pool, statements, recorded, prepared)
  return together ?? runInTransaction(pool, statements, recorded, prepared)
}

/**
 * Sends conditional statements as one, in one round trip. Undefined: they cannot be combined, or a condition failed,
 * and a transaction has to find out which. Nothing was stored then.
 */
async function runTogether(
  pool: postgres.Sql,
  statements: readonly Statement[],
  recorded: Recorded,
  prepared: boolean,
): Promise<Committed | undefined> {
  const [first, ...others] = statements
  if (!first?.mustChange || !others.every(({ mustChange, independent }) => mustChange && independent)) return undefined
  const acts = statements.map((statement) => statement.toSql('postgres'))
  if (new Set(acts.map(({ text }) => text)).size < acts.length) return undefined
  try {
    await send(pool, recordingAll(acts, recorded), prepared)
    // Each of them names one row.
    return { applied: true, changes: statements.map(() => 1) }
  } catch (error) {
    if (isDivisionByZero(error)) return undefined
    throw error
  }
}

/**
 * Sends the statements to one transaction without waiting for their answers: three round trips however many there are. Where a
 * condition failed, those behind it ran for nothing, and all of it is rolled back.
 */
async function runInTransaction(
  pool: postgres.Sql,
  statements: readonly Statement[],
  recorded: Recorded,
  prepared: boolean,
): Promise<Committed> {
  const changesInAnyCase = statements.some(({ mustChange }) => mustChange)
  const changes: number[] = []
  try {
    await inTransaction(pool, async (transaction) => {
      const record = () => (recorded.entries.length > 0 ? [send(transaction, insertionOf(recorded), prepared)] : [])
      const sent = [
        ...statements.map((statement) => run(transaction, statement, prepared)),
        ...(changesInAnyCase ? record() : []),
      ]
      const outcomes = await Promise.allSettled(sent.map((one) => one.execute()))
      for (const [at, outcome] of outcomes.entries()) {
        // The first failure: the server refuses all that comes after it.
        if (outcome.status === 'rejected') throw outcome.reason
        const statement = statements[at]
        if (statement === undefined) continue
        if (statement.mustChange && outcome.value.count === 0) throw new NotApplied()
        changes.push(outcome.value.count)
      }
      if (!changesInAnyCase && changes.some((rows) => rows > 0)) await Promise.all(record())
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
async function runRecorded(
  sql: postgres.Sql,
  statement: Statement,
  recorded: Recorded,
  prepared: boolean,
): Promise<number> {
  if (recorded.entries.length === 0) return (await run(sql, statement, prepared)).count
  const [row] = await send(sql, recording(statement.toSql('postgres'), recorded), prepared)
  return Number(row?.changed)
}

/** Returns the rows. With a value that has NUL there are none. */
export async function readOnce(sql: postgres.Sql, statement: Statement, prepared: boolean): Promise<unknown[]> {
  try {
    const { toRow } = statement.toSql('postgres')
    const sent = run(sql, statement, prepared)
    return toRow === undefined ? [...(await sent)] : ((await sent.values()) as Value[][]).map(toRow)
  } catch (error) {
    if (hasNoSuchText(error)) return []
    throw error
  }
}

export function run(sql: postgres.Sql | postgres.TransactionSql, statement: Statement, prepared: boolean) {
  return send(sql, statement.toSql('postgres'), prepared)
}

/** Returns a function that sends a text with its values. `prepared`: as above. */
export function sending(sql: postgres.Sql, prepared: boolean): Send {
  return async (text, parameters) => [...(await send(sql, { text, parameters }, prepared).values())] as Value[][]
}

function send(
  sql: postgres.Sql | postgres.TransactionSql,
  { text, parameters, prepare = true }: ReturnType<Statement['toSql']> & { readonly prepare?: boolean },
  prepared: boolean,
) {
  // The driver would find it while it sends, and leave the statements before it on the connection without an answer.
  if (parameters.includes(undefined as unknown as Value)) throw new Error(`A value is missing: ${text}`)
  return prepared ? sql.unsafe(text, parameters, { prepare }) : sendUnnamed(sql, text, parameters)
}

/**
 * Sends a statement that the server does not keep, in one round trip. The driver would ask for the types of the
 * parameters first and hold back other statements meanwhile; all of ours are sent as text, whatever their type. So it
 * is given the values as those of a statement whose types it has asked for.
 */
function sendUnnamed(sql: postgres.Sql | postgres.TransactionSql, text: string, parameters: Value[]) {
  // `simple` is of the driver's `unsafe`, `parameters` of its queries; its types lack both.
  const query = sql.unsafe(text, [], { simple: false } as postgres.UnsafeQueryOptions)
  return Object.assign(query, { parameters })
}
