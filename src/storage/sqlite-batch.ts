/**
 * Group commit on one SQLite connection: everything that waits is written in one transaction and shares its fsync.
 * Runs in the writer thread, or in the main thread for a database in memory, and so imports nothing but SQLite and what
 * chains the audit trail.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Draft, Tail } from '../audit/chain.ts'
import { appendAll, entryColumns, insertEntries } from './audit-rows.ts'

/** Statements that stand or fall together, and what is entered in the audit trail when they changed something. */
export type Commit = {
  readonly statements: readonly {
    readonly text: string
    readonly parameters: (string | number | null)[]
    readonly mustChange: boolean
  }[]
  readonly drafts: readonly Draft[]
}

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

export type Written = { readonly outcomes: readonly Outcome[]; readonly tail: Tail }

/**
 * Runs every commit in one transaction; their audit entries continue the chain that ends with `tail`. Throws when the
 * transaction as a whole failed: then nothing was stored, or it cannot be known, and nobody may continue that chain.
 */
export function runBatch(connection: Connection, batch: readonly Commit[], tail: Tail): Written {
  const { db, prepare } = connection
  prepare('BEGIN IMMEDIATE').run()
  try {
    let last = tail
    const outcomes: Outcome[] = []
    for (const commit of batch) {
      const done = runCommit(connection, commit, last)
      outcomes.push(done.outcome)
      last = done.tail
    }
    prepare('COMMIT').run()
    return { outcomes, tail: last }
  } catch (error) {
    if (db.isTransaction) prepare('ROLLBACK').run()
    throw error
  }
}

type Done = { readonly outcome: Outcome; readonly tail: Tail }

/** One commit, which takes nothing along when it fails, the chain included. */
function runCommit(connection: Connection, commit: Commit, tail: Tail): Done {
  const { db, prepare } = connection
  // A single statement leaves nothing behind when it fails or changes nothing, so it needs no savepoint.
  const savepoint = commit.statements.length + commit.drafts.length > 1
  if (savepoint) prepare('SAVEPOINT one').run()
  let done: Done
  try {
    const outcome = runStatements(connection, commit)
    done = { outcome, tail: hasHappened(outcome) ? enter(connection, commit.drafts, tail) : tail }
  } catch (error) {
    // Out of disk space, I/O errors: SQLite has taken back the whole transaction, neighbours included.
    if (!db.isTransaction) throw error
    done = { outcome: { failure: toFailure(error) }, tail }
  }
  if (savepoint) {
    if ('failure' in done.outcome || !done.outcome.applied) prepare('ROLLBACK TO one').run()
    prepare('RELEASE one').run()
  }
  return done
}

/** Something changed, or there was nothing to change. */
function hasHappened(outcome: Outcome): boolean {
  if ('failure' in outcome || !outcome.applied) return false
  return outcome.changes.length === 0 || outcome.changes.some((rows) => rows > 0)
}

const insertEntry = `${insertEntries} values (${entryColumns.map(() => '?').join(', ')})`

function enter({ prepare }: Connection, drafts: readonly Draft[], tail: Tail): Tail {
  if (drafts.length === 0) return tail
  const entered = appendAll(tail, drafts)
  for (const row of entered.rows) prepare(insertEntry).run(...row)
  return entered.tail
}

function runStatements({ prepare }: Connection, { statements }: Commit): Outcome {
  const changes: number[] = []
  for (const { text, parameters, mustChange } of statements) {
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
