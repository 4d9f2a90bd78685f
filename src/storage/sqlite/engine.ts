/**
 * Belongs here: the engine for SQLite: the file, the writer's thread, group commit, errors.
 * Belongs elsewhere: statements (`sql/`).
 */
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Dialect } from 'kysely'
import { toDraft } from '../../audit/draft.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { oncePerTick } from '../../tick.ts'
import type { Adapter, Engine } from '../engine.ts'
import { mailRowsOf } from '../mail-rows.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import { noDatabase } from '../schema.ts'
import type { Statement, Value } from '../sql/statement.ts'
import { type Commit, type Connection, connect, runBatch, toFailure } from './batch.ts'
import { guard, toError } from './errors.ts'
import { logBytes } from './log.ts'
import { heldPlace, roomCheck, watchPlace } from './place.ts'
import './statements.ts'
import { auditChains, groupCommits, threadWriter, type Writer } from './writer.ts'

/** How long a write waits for another writing process. */
const busyTimeoutMs = 5000

/** In WAL mode reads do not wait for writes; the rare exceptions must not block the event loop for long. */
const readTimeoutMs = 100

export type SqliteOptions = {
  /** Whether a missing file is created, with its folder. */
  readonly create: boolean
  readonly busyTimeoutMs?: number
  readonly metrics?: Metrics
}

/**
 * Opens a database file. Reads run on the main thread, because an indexed read takes microseconds. Writes run in a
 * thread, because of their fsync.
 */
export function openSqlite(name: string, options: SqliteOptions): Adapter {
  const file = resolve(name)
  const settings = { file, busyTimeoutMs: options.busyTimeoutMs ?? busyTimeoutMs }
  const connection = guard(file, () => {
    prepareFile(file, options.create)
    return connect(file, settings.busyTimeoutMs)
  })
  connection.db.exec(`PRAGMA busy_timeout = ${readTimeoutMs}`)
  options.metrics?.gauge('sqlite_log_bytes', () => logBytes(file))
  const checks = { place: watchPlace(file), room: roomCheck(file) }
  return sqliteAdapter(file, connection, threadWriter(settings), checks, options.metrics)
}

/**
 * Opens a database that exists only within the process. `content`: that of a database file to begin with, which is not in
 * WAL mode.
 */
export function openSqliteInMemory(content?: Uint8Array): Adapter {
  const connection = connect(':memory:', 0)
  if (content !== undefined) connection.db.deserialize(content)
  const continueChains = auditChains()
  const writer: Writer = {
    write: (batch) =>
      continueChains(async (tails) => {
        try {
          return runBatch(connection, batch, tails)
        } catch (error) {
          return toFailure(error)
        }
      }),
    close: async () => {},
  }
  return sqliteAdapter(':memory:', connection, writer, { place() {} })
}

type Reading = {
  readonly statement: Statement
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

function sqliteAdapter(
  file: string,
  connection: Connection,
  writer: Writer,
  checks: { readonly place: () => void; readonly room?: () => Promise<void> },
  metrics?: Metrics,
): Adapter {
  const { db, prepare } = connection
  let closed = false
  const place = heldPlace(checks.place)
  const commits = groupCommits(place.watched(writer), metrics)

  function read({ text, parameters, toRow }: ReturnType<Statement['toSql']>): unknown[] {
    const rows = prepare(text, toRow !== undefined).all(...parameters)
    return toRow === undefined ? rows : rows.map((values) => toRow(values as unknown as Value[]))
  }

  /** Never throws: reads work without a common transaction too, and each tells by itself what is wrong. */
  function begin(): void {
    try {
      prepare('BEGIN', false).run()
    } catch {
      end()
    }
  }

  /** Never throws. A transaction that stayed open would hide all later commits from the reads. */
  function end(): void {
    for (const text of ['COMMIT', 'ROLLBACK']) {
      try {
        if (db.isTransaction) prepare(text, false).run()
      } catch {
        // Rolled back next, or by the error itself.
      }
    }
  }

  // Batches the reads of one tick of the event loop, so that their requests continue and are answered together. Several
  // share a transaction: SQLite locks the file once for all of them.
  const readSoon = oncePerTick<Reading>((readings) => {
    if (readings.length > 1) begin()
    for (const { statement, resolve, reject } of readings) {
      try {
        resolve(guard(file, () => read(statement.toSql('sqlite'))))
      } catch (error) {
        reject(error)
      }
    }
    if (readings.length > 1) end()
  })

  const engine: Engine = {
    dialect: 'sqlite',
    read: (statement) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new StorageUnavailable('The database has been closed.'))
        // The caller declared the row type when preparing the statement.
        else readSoon({ statement, resolve: resolve as Reading['resolve'], reject })
      }),
    commit: (statements, events = [], underWay) =>
      new Promise((resolve, reject) => {
        if (closed) throw new StorageUnavailable('The database has been closed.')
        if (place.displaced() !== undefined) throw place.displaced()
        const mails = mailRowsOf(events)
        const commit = { statements: statements.map(toCommitted), drafts: events.map(toDraft) }
        commits.add({
          commit: mails.length > 0 ? { ...commit, mails } : commit,
          settle(outcome) {
            if ('failure' in outcome) reject(toError(file, outcome.failure))
            else resolve(outcome)
          },
          reject,
          underWay,
        })
      }),
    checkPlace: place.check,
    ...(checks.room && { checkRoom: checks.room }),
    async close() {
      if (closed) return
      closed = true
      await commits.close()
      // Lets the batched reads of this tick finish.
      await new Promise((resolve) => setImmediate(resolve))
      db.close()
    },
  }

  return {
    engine,
    place: file,
    async appliedMigrations() {
      const names = guard(file, () => {
        const table = "SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'"
        return db.prepare(table).get() ? db.prepare('SELECT name FROM kysely_migration').all() : []
      })
      return names.map(({ name }) => String(name))
    },
    // Its one writer holds the file for the whole of a migration.
    migratesOnline: false,
    isHeldUp: () => false,
    async withSchemaDialect(work) {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      try {
        return await work(await schemaDialect(connection))
      } catch (error) {
        throw toError(file, toFailure(error), error)
      } finally {
        db.exec(`PRAGMA busy_timeout = ${readTimeoutMs}`)
      }
    },
  }
}

function toCommitted(statement: Statement): Commit['statements'][number] {
  const { text, parameters } = statement.toSql('sqlite')
  return { text, parameters, mustChange: statement.mustChange }
}

/**
 * Kysely's dialect over a connection of `node:sqlite`. Runs all migrations in one transaction, which Kysely does by
 * itself only for engines it knows to have transactional DDL; SQLite has it.
 */
async function schemaDialect({ db }: Connection): Promise<Dialect> {
  const { SqliteAdapter, SqliteDialect } = await import('kysely')
  class TransactionalAdapter extends SqliteAdapter {
    override get supportsTransactionalDdl() {
      return true
    }
  }
  class TransactionalDialect extends SqliteDialect {
    override createAdapter() {
      return new TransactionalAdapter()
    }
  }
  return new TransactionalDialect({
    database: {
      prepare(text) {
        // Takes the write lock at once: of several starting processes one migrates and the others wait.
        const statement = db.prepare(text === 'begin' ? 'begin immediate' : text)
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...(parameters as Value[])),
          run: (parameters) => statement.run(...(parameters as Value[])),
          iterate: (parameters) => statement.iterate(...(parameters as Value[])),
        }
      },
      close() {},
    },
  })
}

/** Creates the file before SQLite does, readable by its owner only. SQLite gives the files beside it the same mode. */
export function prepareFile(file: string, create: boolean): void {
  if (statSync(file, { throwIfNoEntry: false })) return
  if (!create) throw noDatabase(`There is no database at ${file}.`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}
