/**
 * Belongs here: the engine for PostgreSQL: the pool, servers and failover, retries, errors.
 * Belongs elsewhere: statements (`sql/`).
 */
import postgres from 'postgres'
import { toDraft } from '../../audit/draft.ts'
import { openSemaphore } from '../../semaphore.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { StorageTracing } from '../../telemetry/tracing.ts'
import type { EntryRow } from '../audit-rows.ts'
import type { Adapter, Engine } from '../engine.ts'
import { mailRowsOf } from '../mail-rows.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Statement, Value } from '../sql/statement.ts'
import { place } from './address.ts'
import { auditLanes, type Recorded } from './audit.ts'
import { commitInTurns, readOnce, sending } from './commit.ts'
import {
  busyErrors,
  isConnectionLost,
  isHeldUp,
  isMissingTable,
  isReadOnly,
  isUnreachable,
  readOnlyState,
  toError,
} from './errors.ts'
import { gatheringChanges } from './gathered-changes.ts'
import { gatheringReadings } from './gathered-readings.ts'
import type { GatheringBounds } from './gathering.ts'
import { findServer } from './hosts.ts'
import { rareConnectionOptions } from './options.ts'
import { postgresPartitions, readPartitions } from './partitions.ts'
import { openPool } from './pool.ts'
import { countWaiting } from './replicas.ts'
import { commitGate } from './stall.ts'
import './statements.ts'
import { checkWay } from './way.ts'

export type PostgresOptions = {
  readonly connections?: number
  /** False: for a pooler that gives each transaction another session. Default: true. */
  readonly preparedStatements?: boolean
  /** The server cancels a statement after this time. Clients do better to retry than to wait long. */
  readonly statementTimeoutMs?: number
  /** After this time an answer is no longer awaited, because the server or the network is silent. */
  readonly deadlineMs?: number
  /** How many statements may wait for a busy connection, and for how long. The wait counts towards the deadline. */
  readonly waitingAtMost?: number
  readonly waitMs?: number
  readonly metrics?: Metrics
  readonly tracing?: StorageTracing
}

/**
 * Statements sent on a connection before the first is answered (pipelining). Saves round trips, but a statement that
 * waits for a lock delays those behind it, so the number is small.
 */
const sentAhead = 4

/** `url` is a `postgres://` address, also of a PostgreSQL-compatible database. Connects on first use. */
export function openPostgres(url: string, options: PostgresOptions = {}): Adapter {
  const { connections = 10, preparedStatements = true, statementTimeoutMs = 5000, deadlineMs = 10_000 } = options
  const { waitingAtMost = 5000, waitMs = 2000 } = options
  const refusal = busyErrors(waitingAtMost, waitMs)
  const places = openSemaphore({ running: connections * sentAhead, waiting: waitingAtMost, waitMs, refusal })
  const gate = commitGate({
    place: place(url),
    // Until then, PostgreSQL may still end a statement that waits for something else.
    stalledAfterMs: statementTimeoutMs + 500,
    countWaiting: () => ask((sql) => countWaiting(sql, statementTimeoutMs / 2)),
  })
  const pool = openPool(url, {
    connections,
    preparedStatements,
    statementTimeoutMs,
    deadlineMs,
    onNotice: gate.notice,
  })
  let answeredAtMs = performance.now()
  let closing = false
  let closed = false
  const underway = new Set<Promise<unknown>>()
  options.metrics?.gauge('postgres_queries_underway', () => places.load().running)
  options.metrics?.gauge(
    'postgres_queries_waiting',
    () => places.load().waiting + readings.waiting() + changes.waiting(),
  )

  /** Holds its place until the work has ended, even past the deadline, because the connection is still busy. */
  function whenFree<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    return places.run(async () => {
      let sql: postgres.Sql | undefined
      try {
        const taken = pool.take()
        sql = taken instanceof Promise ? await taken : taken
        return await work(sql)
      } catch (error) {
        if (sql === undefined) throw error
        // The driver keeps state of a lost connection: its error would answer the next statement, and unsent bytes may
        // block it for good. Other connections finish normally.
        if (isConnectionLost(error)) pool.giveUp(sql, statementTimeoutMs)
        // After a failover the former primary may continue as a standby and keep connections open. New connections find
        // the new primary.
        if (isReadOnly(error)) pool.giveUpReadOnly(sql, statementTimeoutMs)
        if (isUnreachable(error)) pool.giveUpUnreachable(sql, 0)
        throw error
      }
    })
  }

  /** Runs `work` on the pool when a place is free. Settles before the deadline. `hint`: why there may be no answer. */
  async function ask<T>(work: (sql: postgres.Sql) => Promise<T>, hint = ''): Promise<T> {
    if (closed) throw new StorageUnavailable('The database has been closed.')
    let asked = pool.connected()
    const askedAtMs = performance.now()
    const silence = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const message = `The database did not answer within ${deadlineMs} ms: ${place(url)}.${hint}`
      silence.reject(new StorageUnavailable(message, { isPassing: true }))
      // No answer at all in this time: the connections are dead (a failover, a severed link), and the operating system
      // would take long to notice. New connections find the current server.
      if (answeredAtMs < askedAtMs && asked !== undefined) pool.giveUp(asked, 0)
    }, deadlineMs)
    const working = whenFree((sql) => {
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
      const [[row], partitions] = await Promise.all([
        sql`select at_ms from audit_checkpoints order by number desc limit 1`,
        readPartitions(sql),
      ])
      return { floorMs: Number(row?.at_ms ?? 0), partitions }
    }),
  )

  const readAlone = (statement: Statement) => ask((sql) => readOnce(sql, statement, preparedStatements))
  const bounds: GatheringBounds = {
    waitingAtMost,
    waitMs,
    refusal,
    monotonic: () => performance.now(),
    later: (work, ms) => void setTimeout(work, ms),
    atEndOfTurn: (work) => void setImmediate(work),
    tracing: options.tracing,
  }
  const sender = (sql: postgres.Sql) => sending(sql, preparedStatements)
  const readings = gatheringReadings({
    ...bounds,
    alone: readAlone,
    send: (...query) => ask((sql) => sender(sql)(...query)),
  })
  const replicaHint = ' It may wait for a synchronous replica.'
  const commitAlone = (statements: readonly Statement[], recorded: Recorded) =>
    ask((sql) => gate.run(() => commitInTurns(sql, statements, recorded, preparedStatements)), replicaHint)
  const changes = gatheringChanges({
    ...bounds,
    alone: ({ statement, entries }) => commitAlone([statement], { entries, mails: [] }),
    send: (...query) =>
      ask(async (sql) => {
        let rows: (readonly Value[])[] = []
        await gate.run(async () => {
          rows = await sender(sql)(...query)
          return { applied: true, changes: [rows.length] }
        })
        return rows
      }, replicaHint),
  })

  const engine: Engine = {
    dialect: 'postgres',

    read: <Row>(statement: Statement<Row>) =>
      (statement.gathered === undefined ? readAlone(statement) : readings.read(statement)) as Promise<Row[]>,

    async commit(statements, events = []) {
      const mails = mailRowsOf(events)
      const send = (entries: readonly EntryRow[]) =>
        (mails.length === 0 ? changes.commit(statements, entries) : undefined) ??
        commitAlone(statements, { entries, mails })
      const commit = (entries: readonly EntryRow[]) => gate.admit()?.then(() => send(entries)) ?? send(entries)
      return events.length === 0 ? commit([]) : lanes.record(events.map(toDraft), commit)
    },

    checkPlace() {
      // After a failover some connections may accept writes while older ones still refuse them.
      if (!pool.hasReadOnly()) return
      throw toError(Object.assign(new Error('read-only connection'), { code: readOnlyState }), place(url))
    },

    async close() {
      if (closing) return
      closing = true
      await Promise.all([readings.drained(), changes.drained()])
      closed = true
      await Promise.allSettled(underway)
      await pool.close()
    },
  }

  /** Runs `work` on a connection for schema changes. */
  async function apart<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres(await findServer(url), rareConnectionOptions)
    try {
      return await work(sql)
    } catch (error) {
      throw toError(error, place(url))
    } finally {
      await sql.end({ timeout: 5 })
    }
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
    migratesOnline: true,
    isHeldUp,
    checkWay: async () => (preparedStatements ? checkWay(ask, url) : undefined),
    partitions: postgresPartitions(ask, apart),
    async withSchemaDialect(work) {
      const { schemaDialect } = await import('./schema-dialect.ts')
      return apart((sql) => work(schemaDialect(sql)))
    },
  }
}
