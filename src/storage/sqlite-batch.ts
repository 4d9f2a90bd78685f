/**
 * Group commit on one SQLite connection: everything that waits is written in one transaction and shares its fsync.
 * Runs in the writer thread, or in the main thread for a database in memory, and so imports nothing but SQLite.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Statements that stand or fall together. */
export type Commit = readonly {
  readonly text: string
  readonly parameters: (string | number | null)[]
  readonly mustChange: boolean
}[]

/** Copied between threads, so errors are plain values. `code` is SQLite's extended result code. */
export type Failure = { readonly message: string; readonly code: number | undefined }

export type Outcome = { readonly applied: boolean; readonly changes: readonly number[] } | { readonly failure: Failure }

export type Connection = {
  readonly db: DatabaseSync
  /** The statement for a text, prepared once. */
  prepare(text: string): StatementSync
}

/** Opens the file, or `:memory:`. Durability is full: a commit that was acknowledged survives a power cut. */
export function connect(file: string, busyTimeoutMs: number): Connection {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  } catch (error) {
    db.close()
    throw error
  }
  const statements = new Map<string, StatementSync>()
  return {
    db,
    prepare(text) {
      let statement = statements.get(text)
      if (!statement) {
        statement = db.prepare(text)
        statements.set(text, statement)
      }
      return statement
    },
  }
}

/** Runs every commit in one transaction. Throws when the transaction as a whole failed: then nothing was stored. */
export function runBatch(connection: Connection, batch: readonly Commit[]): Outcome[] {
  const { db, prepare } = connection
  prepare('BEGIN IMMEDIATE').run()
  try {
    const outcomes = batch.map((commit) => runCommit(connection, commit))
    prepare('COMMIT').run()
    return outcomes
  } catch (error) {
    if (db.isTransaction) prepare('ROLLBACK').run()
    throw error
  }
}

/** One commit, which takes nothing along when it fails. */
function runCommit(connection: Connection, commit: Commit): Outcome {
  const { db, prepare } = connection
  // A single statement leaves nothing behind when it fails or changes nothing, so it needs no savepoint.
  const savepoint = commit.length > 1
  if (savepoint) prepare('SAVEPOINT one').run()
  let outcome: Outcome
  try {
    outcome = runStatements(connection, commit)
  } catch (error) {
    // Out of disk space, I/O errors: SQLite has taken back the whole transaction, neighbours included.
    if (!db.isTransaction) throw error
    outcome = { failure: toFailure(error) }
  }
  if (savepoint) {
    if ('failure' in outcome || !outcome.applied) prepare('ROLLBACK TO one').run()
    prepare('RELEASE one').run()
  }
  return outcome
}

function runStatements({ prepare }: Connection, commit: Commit): Outcome {
  const changes: number[] = []
  for (const { text, parameters, mustChange } of commit) {
    const changed = Number(prepare(text).run(...parameters).changes)
    if (mustChange && changed === 0) return { applied: false, changes }
    changes.push(changed)
  }
  return { applied: true, changes }
}

export function toFailure(error: unknown): Failure {
  const { message, errcode } = error as { message: string; errcode?: number }
  return { message, code: errcode }
}
