/** Finds out what a pooler before PostgreSQL makes of sessions and of their parameters. */
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { StorageUnavailable } from '../port/unavailable.ts'
import { place } from './address.ts'
import { forgottenStatements, isForgotten, toError } from './errors.ts'
import { findServer } from './hosts.ts'
import { sessionOptions } from './options.ts'
import { inTransaction } from './pool.ts'

/** How often the pooler may give the other connection another session than the one that is looked for. */
const attempts = 3
/** A pooler with a single session has none left for the other connection. */
const answerWithinMs = 1000

/**
 * Rejects if a prepared statement is missing in a later transaction of its connection. Resolves as well if that cannot
 * be found out: a statement that is missing later is refused then.
 */
export async function requireStatements(url: string): Promise<void> {
  const server = await findServer(url)
  const connect = () => postgres(server, { ...sessionOptions(true, {}), max: 1, fetch_types: false })
  const [asking, holding] = [connect(), connect()]
  const ask = () => asking.unsafe('select $1::text', ['prepared'], { prepare: true })
  try {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      await ask()
      // A pooler lends the session that it took back last, so this keeps the one with the statement.
      const isMissing = await inTransaction(holding, () => isForgottenBy(ask()))
      if (isMissing) throw new StorageUnavailable(forgottenStatements(place(url)))
    }
  } catch (error) {
    throw toError(error, place(url))
  } finally {
    await Promise.all([asking, holding].map((sql) => sql.end({ timeout: 0 })))
  }
}

async function isForgottenBy(asked: Promise<unknown>): Promise<boolean> {
  const answered = new AbortController()
  try {
    await Promise.race([asked, pause(answerWithinMs, undefined, { signal: answered.signal })])
    return false
  } catch (error) {
    return isForgotten(error)
  } finally {
    answered.abort()
    asked.catch(() => {})
  }
}

/** Whether the server ends a statement of a request that takes too long. Undefined if that cannot be read. */
export async function hasStatementLimit(url: string, preparedStatements: boolean): Promise<boolean | undefined> {
  const options = sessionOptions(preparedStatements, { statement_timeout: 5000 })
  try {
    const sql = postgres(await findServer(url), { ...options, max: 1, fetch_types: false })
    try {
      const [row] = await sql`select current_setting('statement_timeout') as value`
      return row?.value !== '0'
    } finally {
      await sql.end({ timeout: 0 })
    }
  } catch {
    return undefined
  }
}
