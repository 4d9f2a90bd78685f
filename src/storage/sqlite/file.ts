/** Operations on an SQLite file as a whole: backup, integrity check, publishing under its name. */
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StorageUnavailable } from '../port/unavailable.ts'
import { guard, toErrorOf } from './errors.ts'

/** How long a write waits for another writing process. */
const busyTimeoutMs = 5000
/** Pages copied at a time before yielding to other work: 4 MB. */
const backupPages = 1000

/** Opens a separate connection to an existing file. */
export function openFile(file: string, { readOnly }: { readonly readOnly: boolean }): DatabaseSync {
  return guard(file, () => {
    if (!statSync(file, { throwIfNoEntry: false })) throw new StorageUnavailable(`There is no database at ${file}.`)
    return new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs })
  })
}

/**
 * Copies the database while others use it. The copy has the state at the start of the call. `copy` must not exist; it
 * is created readable by its owner only.
 */
export async function backupSqlite(file: string, copy: string): Promise<void> {
  const source = openFile(file, { readOnly: true })
  try {
    // An open read transaction pins the snapshot, so concurrent writes do not restart the copy.
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

/** Whether another connection writes to the file, such as a backup that fills it. */
export function isHeld(file: string): boolean {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return false
  } catch (error) {
    // SQLITE_BUSY and SQLITE_LOCKED.
    const { errcode = 0 } = error as { readonly errcode?: number }
    return [5, 6].includes(errcode & 0xff)
  } finally {
    db?.close()
  }
}

/**
 * Publishes a finished database under its name: one file without a log, durable, readable by its owner only. Returns
 * false and changes nothing if the name is taken.
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
    // For file systems without hard links.
    renameSync(draft, file)
  }
  // Windows has no such call for folders and needs none.
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
 * Checks a whole file without changing it and returns its migrations. Throws `StorageUnavailable` if it is not a
 * database, or if pages, indexes or references are damaged.
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
