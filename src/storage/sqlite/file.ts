/** An SQLite file as a whole: its backup, its soundness, and how it comes to its name. */
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StorageUnavailable } from '../port/port.ts'
import { guard, toErrorOf } from './errors.ts'

/** How long a write waits for another process that is writing. */
const busyTimeoutMs = 5000
/** Pages that are copied before others get their turn: 4 MB. */
const backupPages = 1000

/** A connection of its own to a file that exists. */
export function openFile(file: string, { readOnly }: { readonly readOnly: boolean }): DatabaseSync {
  if (!existsSync(file)) throw new StorageUnavailable(`There is no database at ${file}.`)
  return guard(file, () => new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs }))
}

/**
 * Copies the database while others read and write it; the copy is the state in which it was when this began. `copy` must
 * not exist; it becomes a file that its owner alone can read.
 */
export async function backupSqlite(file: string, copy: string): Promise<void> {
  const source = openFile(file, { readOnly: true })
  try {
    // The open reading keeps the copy to one state, whatever is written meanwhile, and so lets it come to an end.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_master').get()
    closeSync(openSync(copy, 'wx', 0o600))
    await backup(source, copy, { rate: backupPages })
  } catch (error) {
    throw toErrorOf(file, error)
  } finally {
    source.close()
  }
}

/**
 * Gives a finished database its name: one file without a log beside it, durable, readable by its owner alone. False: the
 * name is taken, and what has it was left alone.
 */
export function publishSqlite(draft: string, file: string): boolean {
  const db = openFile(draft, { readOnly: false })
  try {
    guard(draft, () => db.exec('PRAGMA journal_mode = DELETE'))
  } finally {
    db.close()
  }
  chmodSync(draft, 0o600)
  sync(draft, 'r+')
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file)) return false
    // A file system without links.
    renameSync(draft, file)
  }
  // Windows has no such call for folders, and needs none.
  if (process.platform !== 'win32') sync(dirname(file), 'r')
  return true
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * The migrations of a file that is not to be changed, after a look at all of it. Throws `StorageUnavailable` when it is
 * no database, or pages, indexes or references in it are damaged.
 */
export function inspectSqlite(file: string): string[] {
  const db = openFile(file, { readOnly: true })
  try {
    return guard(file, () => {
      const [fault] = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {})
      if (fault !== 'ok') throw new StorageUnavailable(`${file} is damaged (${String(fault).split('\n', 1)[0]}).`)
      const dangling = db.prepare('PRAGMA foreign_key_check').get()
      if (dangling) throw new StorageUnavailable(`${file} is damaged (${dangling.table} refers to what is not there).`)
      const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get()
      return table === undefined
        ? []
        : db
            .prepare('SELECT name FROM kysely_migration')
            .all()
            .map(({ name }) => String(name))
    })
  } finally {
    db.close()
  }
}
