/**
 * Group commit on one SQLite connection: all waiting commits share one transaction and its fsync. Runs in the writer
 * thread, or in the main thread for an in-memory database. Imports only SQLite and the chaining of the audit trail, to
 * keep the thread small.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { newTail, type Tail, type Tails } from '../../audit/chain.ts'
import type { Draft } from '../../audit/entry.ts'
import { appendAll, entryColumns, insertEntries } from '../audit-rows.ts'
import { gatherNotices, insertMails, type MailRow, mailColumns } from '../mail-rows.ts'

/** Statements that apply all or nothing, and the audit entries and mails to add if they changed something. */
export type Commit = {
  readonly statements: readonly {
    readonly text: string
    readonly parameters: (string | number | null)[]
    readonly mustChange: boolean
  }[]
  readonly drafts: readonly Draft[]
  /** None without drafts. */
  readonly mails?: readonly MailRow[]
}

/** Copied between threads, so errors are plain values. `code` is SQLite's extended result code. */
export type Failure = { readonly message: string; readonly code: number | undefined }

export type Outcome = { readonly applied: boolean; readonly changes: readonly number[] } | { readonly failure: Failure }

export type Connection = {
  readonly db: DatabaseSync
  /** Returns the statement for a text, prepared once. `inArrays`: returns rows as arrays of values. */
  prepare(text: string, inArrays?: boolean): StatementSync
}

/**
 * Opens the file, which must exist, or `:memory:`, with full durability: an acknowledged commit survives a power failure.
 */
export function connect(file: string, busyTimeoutMs: number): Connection {
  const place = file === ':memory:' ? file : new URL(`${pathToFileURL(file)}?mode=rw`)
  const db = new DatabaseSync(place, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
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
 * Runs all commits in one transaction. Their audit entries continue the chains that end with `tails`. Throws if the
 * transaction failed as a whole: its outcome is then unknown, so those chains must not be continued.
 */
export function runBatch(connection: Connection, batch: readonly Commit[], tails: Tails): Written {
  // Tries without savepoints first: they would double the number of statements, and a commit rarely needs one.
  return runTransaction(connection, batch, tails, false) ?? (runTransaction(connection, batch, tails, true) as Written)
}

/**
 * `isolated`: runs each commit in a savepoint. Otherwise returns undefined, and stores nothing, if a commit needs one.
 */
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

/** Returns the time of the last checkpoint, in epoch milliseconds. No entry may be older. */
function floorOf({ prepare }: Connection): number {
  const row = prepare('SELECT at_ms FROM audit_checkpoints ORDER BY number DESC LIMIT 1').get()
  return Number(row?.at_ms ?? 0)
}

/**
 * Returns the chains to continue. Replaces a chain whose last entry is gone, because a backup was restored or retention
 * removed it.
 */
function standing({ prepare }: Connection, { acts, refusals }: Tails): Tails {
  const find = prepare('SELECT 1 FROM audit_entries WHERE at_ms = ? AND writer = ? AND seq = ? AND hash = ?')
  const isThere = ({ atMs, writer, seq, hash }: Tail) => seq === 0 || find.get(atMs, writer, seq, hash) !== undefined
  return {
    acts: isThere(acts) ? acts : newTail('acts'),
    refusals: isThere(refusals) ? refusals : newTail('refusals'),
  }
}

/** `isTorn`: the commit failed or must not apply, but has already changed something. Its chains stay as they were. */
type Done = { readonly outcome: Outcome; readonly tails: Tails; readonly isTorn: boolean }

function runCommit(connection: Connection, commit: Commit, tails: Tails, floorMs: number): Done {
  const changes: number[] = []
  try {
    const applied = runStatements(connection, commit, changes)
    const outcome = { applied, changes }
    if (!applied) return { outcome, tails, isTorn: hasChanged(changes) }
    // Something changed, or there was nothing to change.
    const hasHappened = changes.length === 0 || hasChanged(changes)
    return { outcome, tails: hasHappened ? enter(connection, commit, tails, floorMs) : tails, isTorn: false }
  } catch (error) {
    // On a full disk or I/O error SQLite rolls back the whole transaction, other commits included.
    if (!connection.db.isTransaction) throw error
    // The failed statement left nothing behind, but earlier statements and audit entries did.
    return {
      outcome: { failure: toFailure(error) },
      tails,
      isTorn: hasChanged(changes) || commit.drafts.length > 1 || commit.mails !== undefined,
    }
  }
}

const hasChanged = (changes: readonly number[]): boolean => changes.some((rows) => rows > 0)

const insertEntry = `${insertEntries} values (${entryColumns.map(() => '?').join(', ')})`

const insertMail = `${insertMails} values (${mailColumns.map(() => '?').join(', ')}) ${gatherNotices}`

/** Adds the audit entries and the mails of a commit. */
function enter({ prepare }: Connection, { drafts, mails = [] }: Commit, tails: Tails, floorMs: number): Tails {
  if (drafts.length === 0) return tails
  for (const values of mails) prepare(insertMail).run(...values)
  const entered = appendAll(tails, drafts, floorMs)
  for (const { values } of entered.rows) prepare(insertEntry).run(...values)
  return entered.tails
}

/**
 * Returns false if a required statement changed nothing; later ones are not run. `changes`: receives the number of rows
 * per statement.
 */
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
