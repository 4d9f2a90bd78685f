/** The connections of a process to its PostgreSQL, and what becomes of them when one of them is lost. */
import postgres from 'postgres'
import { isConnectionLost } from './postgres-errors.ts'

export type PoolOptions = {
  readonly connections: number
  readonly statementTimeoutMs: number
  readonly deadlineMs: number
}

export type Pool = {
  /** What to ask over now. */
  current(): postgres.Sql
  /** From now on nothing more is asked over `spent`; what is under way there is ended in `afterMs`. */
  giveUp(spent: postgres.Sql, afterMs: number): void
  /**
   * The same for a server that takes no writes. Its connections are closed as they become idle, at the latest in `afterMs`.
   * Happens once a second at most, so that a server that stays read-only does not meet a flood of new connections.
   */
  giveUpReadOnly(spent: postgres.Sql, afterMs: number): void
  /** Ends all of them. */
  close(): Promise<void>
}

/** How long new connections are kept at least, when the server turns out to be read-only. */
const readOnlyPauseMs = 1000

export const connectionOptions = {
  connect_timeout: 5,
  keep_alive: 10,
  // Seconds between attempts to connect again; the driver's own pauses grow to 20, long after the server is back.
  backoff: () => 0.1 + Math.random() * 0.2,
  onnotice: () => {},
  types: {
    // Times and counts, all below 2^53.
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
  },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

/** Connects when first asked. */
export function openPool(url: string, { connections, statementTimeoutMs, deadlineMs }: PoolOptions): Pool {
  const connect = () =>
    postgres(url, {
      ...connectionOptions,
      max: connections,
      // No column has an array type. (Not for the schema's connection: the driver then never hands out a reserved one.)
      fetch_types: false,
      idle_timeout: 60,
      connection: {
        application_name: 'latchkey',
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: deadlineMs,
      },
    })
  let current = connect()
  let connectedAtMs = performance.now()
  const spent = new Set<postgres.Sql>()
  let closed = false
  const end = (pool: postgres.Sql, timeout: number) => pool.end({ timeout }).finally(() => spent.delete(pool))

  /** False: another call has replaced it already. */
  function replace(pool: postgres.Sql): boolean {
    if (pool !== current || closed) return false
    current = connect()
    connectedAtMs = performance.now()
    spent.add(pool)
    return true
  }

  return {
    current: () => current,
    giveUp(pool, afterMs) {
      if (replace(pool)) setTimeout(() => void end(pool, 0).catch(() => {}), afterMs).unref()
    },
    giveUpReadOnly(pool, afterMs) {
      if (performance.now() - connectedAtMs < readOnlyPauseMs) return
      if (replace(pool)) end(pool, afterMs / 1000).catch(() => {})
    },
    async close() {
      closed = true
      await Promise.all([end(current, 1), ...[...spent].map((pool) => end(pool, 0))])
    },
  }
}

/**
 * Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. Rejects with what `work` rejects
 * with, or with an error about the connection.
 *
 * The driver asks for a rollback after every failure. On a connection that has gone it does so in a callback of its own
 * that finds no socket, and what that throws would end the process. So it is not told: what was begun ended with the
 * connection, and the driver rejects the transaction when it closes.
 */
export async function inTransaction<T>(
  sql: postgres.Sql,
  work: (transaction: postgres.TransactionSql) => Promise<T>,
  options = '',
): Promise<T> {
  const outcome = await sql.begin(options, (transaction) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    work(transaction).then(resolve, (error) => {
      if (!isConnectionLost(error)) reject(error)
    })
    return promise
  })
  return outcome as T
}
