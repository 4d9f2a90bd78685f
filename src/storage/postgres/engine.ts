import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { toDraft } from '../../audit/draft.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { EntryRow } from '../audit-rows.ts'
import type { Adapter, Committed, Engine } from '../engine.ts'
import { StorageUnavailable } from '../port/port.ts'
import type { Statement } from '../sql/statement.ts'
import { place } from './address.ts'
import { auditLanes, insertionOf, recording } from './audit.ts'
import {
  hasNoSuchText,
  isConnectionLost,
  isHeldUp,
  isLostRace,
  isMissingTable,
  isReadOnly,
  isUnreachable,
  toError,
} from './errors.ts'
import { findServer } from './hosts.ts'
import { connectionOptions } from './options.ts'
import { inTransaction, openPool } from './pool.ts'
import { openTurns } from './turns.ts'

/**
 * How long a migration waits for a lock. Requests queue behind it, and it must give way before PostgreSQL resolves a deadlock at
 * the expense of a request, which it does after a second.
 */
const migrationLockMs = 200

export type PostgresOptions = {
  readonly connections?: number
  /** After this the server ends a statement. Requests get their answer from the next attempt, not from a long wait. */
  readonly statementTimeoutMs?: number
  /** After this an answer is no longer waited for: the server, or the network in between, is silent. */
  readonly deadlineMs?: number
  /** How many may wait while all connections are busy, and for how long; it is part of the deadline. */
  readonly waitingAtMost?: number
  readonly waitMs?: number
  readonly metrics?: Metrics
}

/**
 * Statements that a connection is sent before it has answered the first (pipelining). This saves round trips, but a statement
 * that waits for a lock delays those behind it, so the number is small.
 */
const sentAhead = 4

/** How often a commit that lost a race for locks is tried. CockroachDB counts on such tries. */
const commitAttempts = 5

/** `url` is a `postgres://` address; also of a PostgreSQL-compatible database. Connects when first asked. */
export function openPostgres(url: string, options: PostgresOptions = {}): Adapter {
  const { connections = 10, statementTimeoutMs = 5000, deadlineMs = 10_000 } = options
  const { waitingAtMost = 5000, waitMs = 2000 } = options
  const turns = openTurns({ atOnce: connections * sentAhead, waitingAtMost, waitMs })
  const pool = openPool(url, { connections, statementTimeoutMs, deadlineMs })
  let answeredAtMs = performance.now()
  let closed = false
  const underway = new Set<Promise<unknown>>()
  options.metrics?.gauge('postgres_queries_underway', () => turns.load().underway)
  options.metrics?.gauge('postgres_queries_waiting', () => turns.load().waiting)

  /** A turn lasts as long as the work does, also when nobody waits for it any more: the connection is still busy. */
  async function inTurn<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const end = await turns.take()
    let sql: postgres.Sql | undefined
    try {
      const taken = pool.take()
      sql = taken instanceof Promise ? await taken : taken
      return await work(sql)
    } catch (error) {
      if (sql === undefined) throw error
      // The driver goes on with what a lost connection was about: its error is the answer to the next statement, and bytes
      // that were not sent yet may block it for good. The other connections are left in order.
      if (isConnectionLost(error)) pool.giveUp(sql, statementTimeoutMs)
      // After a failover the old primary may go on as a standby, with our connections open. New ones find the new primary.
      if (isReadOnly(error)) pool.giveUpReadOnly(sql, statementTimeoutMs)
      if (isUnreachable(error)) pool.giveUpUnreachable(sql, 0)
      throw error
    } finally {
      end()
    }
  }

  /** Runs `work` on the pool when it is its turn. Settles before the deadline. */
  async function ask<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    if (closed) throw new StorageUnavailable('The database has been closed.')
    let asked = pool.connected()
    const askedAtMs = performance.now()
    const silence = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const message = `The database did not answer within ${deadlineMs} ms: ${place(url)}.`
      silence.reject(new StorageUnavailable(message, { isPassing: true }))
      // Nobody was answered all this time: its connections lead nowhere (a failover, a cut line) and would be waited for
      // until the operating system gives them up. New ones find the server that is there now.
      if (answeredAtMs < askedAtMs && asked !== undefined) pool.giveUp(asked, 0)
    }, deadlineMs)
    const working = inTurn((sql) => {
      asked = sql
      return work(sql)
    })
    const answering = Promise.race([working, silence.promise])
    underway.add(answering)
    try {
      const answer = await answering
      answeredAtMs = performance.now()
      return answer
    } catch (error) {
      throw toError(error, place(url))
    } finally {
      clearTimeout(timer)
      underway.delete(answering)
    }
  }

  const lanes = auditLanes(() =>
    ask(async (sql) => {
      const [row] = await sql`select at_ms from audit_checkpoints order by number desc limit 1`
      return Number(row?.at_ms ?? 0)
    }),
  )

  const engine: Engine = {
    dialect: 'postgres',

    async read<Row>(statement: Statement<Row>) {
      return ask(async (sql) => {
        try {
          return [...(await run(sql, statement))] as Row[]
        } catch (error) {
          if (hasNoSuchText(error)) return []
          throw error
        }
      })
    },

    async commit(statements, events = []) {
      const commit = (rows: readonly EntryRow[]) =>
        ask(async (sql) => {
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await commitOnce(sql, statements, rows)
            } catch (error) {
              if (attempt === commitAttempts || !isLostRace(error)) throw error
              await wait(Math.random() * 10 * 2 ** attempt)
            }
          }
        })
      return events.length === 0 ? commit([]) : lanes.record(events.map(toDraft), commit)
    },

    checkPlace() {},

    async close() {
      if (closed) return
      closed = true
      await Promise.allSettled(underway)
      await pool.close()
    },
  }

  return {
    engine,
    place: place(url),
    appliedMigrations: () =>
      ask(async (sql) => {
        try {
          return (await sql`select name from kysely_migration`).map(({ name }) => String(name))
        } catch (error) {
          if (isMissingTable(error)) return []
          throw error
        }
      }),
    isHeldUp,
    async withSchemaDialect(work) {
      const { PostgresJSDialect } = await import('kysely-postgres-js')
      const sql = postgres(await findServer(url), {
        ...connectionOptions,
        max: 1,
        connection: { application_name: 'latchkey', lock_timeout: migrationLockMs },
      })
      try {
        return await work(new PostgresJSDialect({ postgres: sql }))
      } catch (error) {
        throw toError(error, place(url))
      } finally {
        await sql.end({ timeout: 5 })
      }
    },
  }
}

/**
 * One round trip for a single statement, which needs no transaction around it, with its audit entries or without.
 * `entries`: the rows of those.
 */
async function commitOnce(
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

/** Leaves a transaction so that it is rolled back. */
class NotApplied extends Error {}

/** How many rows the statement changed. */
async function runRecorded(sql: postgres.Sql, statement: Statement, entries: readonly EntryRow[]): Promise<number> {
  if (entries.length === 0) return (await run(sql, statement)).count
  const [row] = await send(sql, recording(statement.toSql('postgres'), entries))
  return Number(row?.changed)
}

function run(sql: postgres.Sql | postgres.TransactionSql, statement: Statement) {
  return send(sql, statement.toSql('postgres'))
}

function send(
  sql: postgres.Sql | postgres.TransactionSql,
  { text, parameters, prepare = true }: ReturnType<Statement['toSql']> & { readonly prepare?: boolean },
) {
  return sql.unsafe(text, parameters, { prepare })
}
