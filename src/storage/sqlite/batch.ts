/**
 * Group commit on one SQLite connection: everything that waits is written in one transaction and shares its fsync.
 * Runs in the writer thread, or in the main thread for a database in memory, and so imports nothing but SQLite and what
 * chains the audit trail.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { newTail, type Tail, type Tails } from '../../audit/chain.ts'
import type { Draft } from '../../audit/entry.ts'
import { appendAll, entryColumns, insertEntries } from '../audit-rows.ts'

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
  /** The statement for a text, prepared once; `inArrays`: gives rows as arrays of their values. */
  prepare(text: string, inArrays?: boolean): StatementSync
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
    prepare(text, inArrays = false) {
      let statement = statements.get(text)
      if (!statement) {
        statement = db.prepare(text)
        statement.setReturnArrays(inArrays)
        statements.set(text, statement)
      }
      return statement
    },
  }
}

export type Written = { readonly outcomes: readonly Outcome[]; readonly tails: Tails }

/**
 * Runs every commit in one transaction; their audit entries continue the chains that end with `tails`. Throws when the
 * transaction as a whole failed: then nothing was stored, or it cannot be known, and nobody may continue those chains.
 */
export function runBatch(connection: Connection, batch: readonly Commit[], tails: Tails): Written {
  // A savepoint around each commit would take as many statements as the commits themselves, and next to none needs it.
  return runTransaction(connection, batch, tails, false) ?? (runTransaction(connection, batch, tails, true) as Written)
}

/** `isolated`: each commit has a savepoint. Without them, undefined when a commit would have needed one; nothing is stored then. */
function runTransaction(
  connection: Connection,
  batch: readonly Commit[],
  tails: Tails,
  isolated: boolean,
): Written | undefined {
  const { db, prepare } = connection
  prepare('BEGIN IMMEDIATE').run()
  try {
    const records = batch.some(({ drafts }) => drafts.length > 0)
    const floorMs = records ? floorOf(connection) : 0
    let last = records ? standing(connection, tails) : tails
    const outcomes: Outcome[] = []
    for (const commit of batch) {
      if (isolated) prepare('SAVEPOINT one').run()
      const done = runCommit(connection, commit, last, floorMs)
      if (done.isTorn && !isolated) {
        prepare('ROLLBACK').run()
        return undefined
      }
      if (done.isTorn) prepare('ROLLBACK TO one').run()
      if (isolated) prepare('RELEASE one').run()
      outcomes.push(done.outcome)
      last = done.tails
    }
    prepare('COMMIT').run()
    return { outcomes, tails: last }
  } catch (error) {
    if (db.isTransaction) prepare('ROLLBACK').run()
    throw error
  }
}

/** The time before which no entry may be: that of the last checkpoint. Epoch milliseconds. */
function floorOf({ prepare }: Connection): number {
  const row = prepare('SELECT at_ms FROM audit_checkpoints ORDER BY number DESC LIMIT 1').get()
  return Number(row?.at_ms ?? 0)
}

/** The chains, each of them a new one where its last entry is gone: a backup was restored, or it had become too old. */
function standing({ prepare }: Connection, { acts, refusals }: Tails): Tails {
  const find = prepare('SELECT 1 FROM audit_entries WHERE at_ms = ? AND writer = ? AND seq = ? AND hash = ?')
  const isThere = ({ atMs, writer, seq, hash }: Tail) => seq === 0 || find.get(atMs, writer, seq, hash) !== undefined
  return {
    acts: isThere(acts) ? acts : newTail('acts'),
    refusals: isThere(refusals) ? refusals : newTail('refusals'),
  }
}

/** `isTorn`: it failed, or must not stand, and has changed something already. Its chains end where they began. */
type Done = { readonly outcome: Outcome; readonly tails: Tails; readonly isTorn: boolean }

function runCommit(connection: Connection, commit: Commit, tails: Tails, floorMs: number): Done {
  const changes: number[] = []
  try {
    const applied = runStatements(connection, commit, changes)
    const outcome = { applied, changes }
    if (!applied) return { outcome, tails, isTorn: hasChanged(changes) }
    // Something changed, or there was nothing to change.
    const hasHappened = changes.length === 0 || hasChanged(changes)
    return { outcome, tails: hasHappened ? enter(connection, commit.drafts, tails, floorMs) : tails, isTorn: false }
  } catch (error) {
    // Out of disk space, I/O errors: SQLite has taken back the whole transaction, neighbours included.
    if (!connection.db.isTransaction) throw error
    // A statement that failed has left nothing behind; those before it have, entries of the audit trail among them.
    return { outcome: { failure: toFailure(error) }, tails, isTorn: hasChanged(changes) || commit.drafts.length > 1 }
  }
}

const hasChanged = (changes: readonly number[]): boolean => changes.some((rows) => rows > 0)

const insertEntry = `${insertEntries} values (${entryColumns.map(() => '?').join(', ')})`

function enter({ prepare }: Connection, drafts: readonly Draft[], tails: Tails, floorMs: number): Tails {
  if (drafts.length === 0) return tails
  const entered = appendAll(tails, drafts, floorMs)
  for (const { values } of entered.rows) prepare(insertEntry).run(...values)
  return entered.tails
}

/** Whether all of them were run: false when one on which the commit depends changed nothing. `changes`: rows of each. */
function runStatements({ prepare }: Connection, { statements }: Commit, changes: number[]): boolean {
  for (const { text, parameters, mustChange } of statements) {
    const changed = Number(prepare(text).run(...parameters).changes)
    if (mustChange && changed === 0) return false
    changes.push(changed)
  }
  return true
}

export function toFailure(error: unknown): Failure {
  const { message, errcode } = error as { message: string; errcode?: number }
  return { message, code: errcode }
}
