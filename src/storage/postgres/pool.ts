/** The connections of a process to its PostgreSQL, and what becomes of them when one of them is lost. */
import postgres from 'postgres'
import { StorageUnavailable } from '../port/port.ts'
import { readAddress } from './address.ts'
import { isConnectionLost } from './errors.ts'
import { serverFinder } from './hosts.ts'
import { connectionOptions } from './options.ts'

export type PoolOptions = {
  readonly connections: number
  readonly statementTimeoutMs: number
  readonly deadlineMs: number
}

export type Pool = {
  /** What to ask over now. Of several servers the one that takes writes is found first; rejects when there is none. */
  take(): postgres.Sql | Promise<postgres.Sql>
  /** The same without looking for a server; undefined: none was found yet. */
  connected(): postgres.Sql | undefined
  /** From now on nothing more is asked over `spent`; what is under way there is ended in `afterMs`. */
  giveUp(spent: postgres.Sql, afterMs: number): void
  /**
   * The same for a server that takes no writes. Its connections are closed as they become idle, at the latest in `afterMs`.
   * Happens once a second at most, so that a server that stays read-only does not meet a flood of new connections.
   */
  giveUpReadOnly(spent: postgres.Sql, afterMs: number): void
  /** The same for a server that cannot be connected to, when there are others. */
  giveUpUnreachable(spent: postgres.Sql, afterMs: number): void
  /** Ends all of them. */
  close(): Promise<void>
}

/** How long new connections are kept at least, when the server turns out to be read-only. */
const readOnlyPauseMs = 1000

/** Connects when first asked. */
export function openPool(url: string, { connections, statementTimeoutMs, deadlineMs }: PoolOptions): Pool {
  const { servers, isChosen } = readAddress(url)
  const find = serverFinder(url)
  const connect = (server: string): postgres.Sql => {
    const pool: postgres.Sql = postgres(server, {
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
      // Servers say so with every new connection, and when it changes.
      ...(isChosen && {
        onparameter: (name: string, value: string) => {
          if (readOnlyParameters.has(name) && value === 'on') pools.giveUpReadOnly(pool, statementTimeoutMs)
        },
      }),
    })
    connectedAtMs = performance.now()
    return pool
  }
  let connectedAtMs = 0
  /** Undefined: the server has to be found. */
  let current = isChosen ? undefined : connect(servers[0] ?? url)
  let choosing: Promise<postgres.Sql> | undefined
  const spent = new Set<postgres.Sql>()
  let closed = false
  const end = (pool: postgres.Sql, timeout: number) => pool.end({ timeout }).finally(() => spent.delete(pool))

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

  /** False: another call has replaced it already. */
  function replace(pool: postgres.Sql): boolean {
    if (pool !== current || closed) return false
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
      if (performance.now() - connectedAtMs < readOnlyPauseMs) return
      if (replace(pool)) end(pool, afterMs / 1000).catch(() => {})
    },
    giveUpUnreachable(pool, afterMs) {
      if (isChosen) pools.giveUp(pool, afterMs)
    },
    async close() {
      closed = true
      const open = current === undefined ? [] : [end(current, 1)]
      await Promise.all([...open, ...[...spent].map((pool) => end(pool, 0))])
    },
  }
  return pools
}

/** What a server that takes no writes says of itself; in_hot_standby since PostgreSQL 14. */
const readOnlyParameters: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only'])

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
