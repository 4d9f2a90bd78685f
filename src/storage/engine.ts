import type { Dialect as KyselyDialect } from 'kysely'
import type { AuditEvents } from '../audit/entry.ts'
import type { AuditPartitions } from './port/audit.ts'
import type { UnderWay } from './port/grants.ts'
import type { Dialect, Statement } from './sql/statement.ts'

/** SQLSTATE of a lock that was not granted in time. */
export const heldUpState = '55P03'

/**
 * What an SQL database must provide. There are no open transactions: a commit is passed as a whole, so no connection is
 * held while the caller awaits.
 */
export type Engine = {
  readonly dialect: Dialect
  /** Runs one statement on a state that includes every acknowledged commit. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  /**
   * Applies all statements or none: a failure, or a guarded statement that changed nothing, rolls back everything.
   * Resolves when the outcome is durable. Rejects with `StorageUnavailable` if the outcome is unknown. Adds `events` to
   * the audit trail in the same commit and queues the mails they carry, unless the statements changed no row: what did
   * not happen leaves no entry.
   */
  commit(statements: readonly Statement[], events?: AuditEvents, underWay?: UnderWay): Promise<Committed>
  /**
   * Throws `StorageUnavailable` if the database was moved or replaced since it was opened; commits are then refused
   * until a later check succeeds. Also throws while read-only connections wait to be replaced. Sends no request to the
   * database.
   */
  checkPlace(): void
  /** Rejects with `StorageUnavailable` if the disk may be too full for a commit. Absent: the disk is out of reach. */
  readonly checkRoom?: () => Promise<void>
  /** Finishes accepted commits, then closes the database. */
  close(): Promise<void>
}

export type Committed = {
  /** False: a guarded statement changed no row, and nothing was stored. */
  readonly applied: boolean
  /** The number of rows that each statement changed, in order; shorter if not applied. */
  readonly changes: readonly number[]
}

/** An engine with the operations for its schema. */
export type Adapter = {
  readonly engine: Engine
  /**
   * Names the database for operators: the absolute path of a file, or hosts and database without user name and
   * password.
   */
  readonly place: string
  /** Returns the names of applied migrations; empty for a new database. One cheap read. */
  appliedMigrations(): Promise<string[]>
  /**
   * Rejects with `StorageUnavailable` if what is between the program and the database breaks statements that the
   * settings ask for. Absent: nothing is between.
   */
  readonly checkWay?: () => Promise<void>
  /** Runs `work` on a connection for schema changes, without the time limits of requests. */
  withSchemaDialect<T>(work: (dialect: KyselyDialect) => Promise<T>): Promise<T>
  /** Whether migrations marked `online` run outside of a transaction, beside the writes of others. */
  readonly migratesOnline: boolean
  /** Whether a migration failed because it gave way to requests. Nothing was stored, and it may be retried. */
  isHeldUp(error: unknown): boolean
  /** Absent: the engine has no partitions. */
  readonly partitions?: AuditPartitions
}
