import type { Dialect as KyselyDialect } from 'kysely'
import type { AuditEvents } from '../audit/entry.ts'
import type { UnderWay } from './port/port.ts'
import type { Dialect, Statement } from './sql/statement.ts'

/**
 * What an SQL database has to give. There are no open transactions in it: whatever belongs together is handed over as
 * one commit, so no connection is ever held across an await of the caller.
 */
export type Engine = {
  readonly dialect: Dialect
  /** One statement on a state that holds every commit acknowledged so far. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  /**
   * All of the statements, or none: a failure, or a guarded statement that changed nothing, takes everything back.
   * Resolves when the outcome is durable. Rejects with `StorageUnavailable` when that cannot be said.
   * With `events` each is entered in the audit trail in the same commit, unless the statements changed no row: what did
   * not happen leaves no entry.
   */
  commit(statements: readonly Statement[], events?: AuditEvents, underWay?: UnderWay): Promise<Committed>
  /**
   * Throws `StorageUnavailable` when the database is not where it was opened any more, and refuses commits from then on
   * until a later check finds it there again. No request to the database.
   */
  checkPlace(): void
  /** Finishes the accepted commits, then lets go of the database. */
  close(): Promise<void>
}

export type Committed = {
  /** False: a guarded statement changed no row, and nothing was stored. */
  readonly applied: boolean
  /** How many rows each statement changed, in order; shorter when not applied. */
  readonly changes: readonly number[]
}

/** An engine together with what bringing its schema up to date takes. */
export type Adapter = {
  readonly engine: Engine
  /** Names the database to the operator: the absolute path of a file, or hosts and database without user and password. */
  readonly place: string
  /** Names of the migrations that the database has seen; empty for a new one. One cheap read. */
  appliedMigrations(): Promise<string[]>
  /** Runs `work` on a connection for schema changes that is not bound to the time limits of requests. */
  withSchemaDialect<T>(work: (dialect: KyselyDialect) => Promise<T>): Promise<T>
  /** Whether an error of such work says that it gave way to requests: nothing of it was stored, and it may be tried again. */
  isHeldUp(error: unknown): boolean
}
