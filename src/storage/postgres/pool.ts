/** The connections of a process to PostgreSQL, and their replacement when one is lost. */
import postgres from 'postgres'
import { StorageUnavailable } from '../port/unavailable.ts'
import { readAddress } from './address.ts'
import { isConnectionLost } from './errors.ts'
import { reportsFalsely, saysReadOnly, serverFinder } from './hosts.ts'
import { sessionOptions } from './options.ts'
import { socketKeeper } from './socket.ts'

export type PoolOptions = {
  readonly connections: number
  readonly preparedStatements: boolean
  readonly statementTimeoutMs: number
  readonly deadlineMs: number
  readonly onNotice?: (notice: postgres.Notice) => void
}

export type Pool = {
  /**
   * Returns the connections to use now. Finds the server that accepts writes first if there are several; rejects if
   * there is none.
   */
  take(): postgres.Sql | Promise<postgres.Sql>
  /** Returns the connections without looking for a server; undefined: none was found yet. */
  connected(): postgres.Sql | undefined
  /** Stops using `spent`. Statements in progress are aborted after `afterMs`. */
  giveUp(spent: postgres.Sql, afterMs: number): void
  /**
   * Stops using a read-only server. Closes its connections as they become idle, at the latest after `afterMs`. Replaces
   * a connection no earlier than a second after it was opened, so that a server that stays read-only is not flooded
   * with new ones.
   */
  giveUpReadOnly(spent: postgres.Sql, afterMs: number): void
  /** Whether a current connection is known to refuse writes and waits to be replaced. */
  hasReadOnly(): boolean
  /** Stops using an unreachable server if there are others. */
  giveUpUnreachable(spent: postgres.Sql, afterMs: number): void
  /** Closes all connections. */
  close(): Promise<void>
}

/** Minimum lifetime of new connections to a server that turns out to be read-only. */
const readOnlyPauseMs = 1000

/** Connects on first use. */
export function openPool(url: string, options: PoolOptions): Pool {
  const { connections, preparedStatements, statementTimeoutMs, deadlineMs, onNotice } = options
  const { servers, isChosen } = readAddress(url)
  const find = serverFinder(url)
  const connect = (server: string): postgres.Sql => {
    const sockets = socketKeeper()
    const pool: postgres.Sql = postgres(server, {
      ...sessionOptions(preparedStatements, {
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: deadlineMs,
      }),
      ...(onNotice && { onnotice: onNotice }),
      ...{ socket: sockets.open },
      max: connections,
      // Skips the query for array types: no column has one. The schema's connection keeps it, because without it the
      // driver never hands out a reserved connection.
      fetch_types: false,
      // Longer than a node rests between two turns, so that each finds the connections of the last one.
      idle_timeout: 90,
      // Servers report these with every new connection and on every change.
      onparameter: (name: string, value: string) => {
        if (saysReadOnly(name, value)) heed(pool, server)
      },
    })
    connectedAtMs = performance.now()
    letGo.set(pool, sockets.letGo)
    return pool
  }
  let connectedAtMs = 0
  const letGo = new WeakMap<postgres.Sql, () => void>()
  /** Whether a pooler reports what a server was once. */
  let isMisled = false
  let checking = 0
  /** The timer that replaces read-only connections. */
  let replacing: NodeJS.Timeout | undefined
  /** Undefined: the server must be determined first. */
  let current = isChosen ? undefined : connect(servers[0] ?? url)
  let choosing: Promise<postgres.Sql> | undefined
  const spent = new Set<postgres.Sql>()
  let closed = false
  const end = (pool: postgres.Sql, timeout: number) =>
    pool.end({ timeout }).finally(() => {
      spent.delete(pool)
      letGo.get(pool)?.()
    })

  async function choose(): Promise<postgres.Sql> {
    try {
      const server = await find()
      if (closed) throw new StorageUnavailable('The database has been closed.')
      current ??= connect(server)
      return current
    } finally {
      choosing = undefined
    }
  }

  /** Gives up connections that report a read-only server, unless it is none. */
  async function heed(pool: postgres.Sql, server: string): Promise<void> {
    if (isMisled) return
    checking += 1
    isMisled = (await reportsFalsely(server)) || isMisled
    checking -= 1
    if (!isMisled) pools.giveUpReadOnly(pool, statementTimeoutMs)
  }

  /** Returns false if another call has replaced it already. */
  function replace(pool: postgres.Sql): boolean {
    if (pool !== current || closed) return false
    clearTimeout(replacing)
    replacing = undefined
    current = isChosen ? undefined : connect(servers[0] ?? url)
    spent.add(pool)
    return true
  }

  const pools: Pool = {
    connected: () => current,
    take() {
      if (current !== undefined) return current
      choosing ??= choose()
      return choosing
    },
    giveUp(pool, afterMs) {
      if (replace(pool)) setTimeout(() => void end(pool, 0).catch(() => {}), afterMs).unref()
    },
    giveUpReadOnly(pool, afterMs) {
      const letGo = () => {
        if (replace(pool)) end(pool, afterMs / 1000).catch(() => {})
      }
      const ageMs = performance.now() - connectedAtMs
      if (ageMs >= readOnlyPauseMs) letGo()
      else if (pool === current) replacing ??= setTimeout(letGo, readOnlyPauseMs - ageMs).unref()
    },
    hasReadOnly: () => replacing !== undefined || checking > 0,
    giveUpUnreachable(pool, afterMs) {
      if (isChosen) pools.giveUp(pool, afterMs)
    },
    async close() {
      closed = true
      clearTimeout(replacing)
      const open = current === undefined ? [] : [end(current, 1)]
      await Promise.all([...open, ...[...spent].map((pool) => end(pool, 0))])
    },
  }
  return pools
}

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it rejects. Rejects with the error of `work`
 * or of the connection.
 *
 * The driver sends a rollback after every failure. On a lost connection it does so in a callback without a socket, and
 * the resulting exception would end the process. A lost connection is therefore not reported to it: the transaction
 * ended with the connection, and the driver rejects when that closes.
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
