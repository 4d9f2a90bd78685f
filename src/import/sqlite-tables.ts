/** Tables of an SQLite file. It is not trusted: it can have views, virtual tables and computed columns that run without an end. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { HeldSource, notUtf8, UnreadableSource } from './source.ts'
import type { TableSource } from './table-source.ts'

/** In bytes, for a value and for a row of an SQLite file. */
const lengthAtMost = 2_000_000
/** How long a reading waits for a process that writes to the file. */
const busyTimeoutMs = 5000

/** A row takes at least its size, its number, a header of two bytes and a pointer of two (SQLite's file format, §1.6 and §2.1). */
const rowBytesAtLeast = 6

export function sqliteFile(file: string): TableSource {
  const unreadable = (error: unknown) =>
    isHeld(error)
      ? new HeldSource(file)
      : new UnreadableSource(`${file} cannot be read as an SQLite file (${(error as Error).message}).`)
  const db = opened(file, unreadable)
  const guarded = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      throw error instanceof UnreadableSource ? error : unreadable(error)
    }
  }
  const assertTable = (table: string): void => {
    // What SQLite made of the text of the schema, which can say anything.
    const found = db.prepare("select type from pragma_table_list where schema = 'main' and name = ?").get(table)
    if (found?.type !== 'table') {
      throw new UnreadableSource(`${table} in ${file} is no table of its own.`)
    }
    const computed = db.prepare('select 1 from pragma_table_xinfo(?) where hidden <> 0').get(table)
    if (computed !== undefined) throw new UnreadableSource(`${table} in ${file} has computed columns.`)
  }
  const names = guarded(() =>
    db
      .prepare(
        "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
      )
      .all()
      .map(({ name }) => String(name)),
  )
  // Pages that lead to one another can give a small file rows without an end.
  const rowsAtMost = sizeOf(file) / rowBytesAtLeast
  const isAlone = isInWalMode(file) && !existsSync(`${file}-wal`)
  return {
    names,
    async columns(table) {
      return guarded(() => {
        assertTable(table)
        const found = db.prepare('select name from pragma_table_info(?)').all(table)
        return found.map(({ name }) => String(name))
      })
    },
    async *rows(table) {
      let line = 0
      try {
        const quoted = `"${table.replaceAll('"', '""')}"`
        for (const row of db.prepare(`select * from ${quoted}`).iterate()) {
          line += 1
          if (line > rowsAtMost) throw new Error('there are more rows than fit into the file')
          const texts = Object.entries(row).map(([name, value]) => [name, textOf(value)] as const)
          const isText = texts.every(([, text]) => text === null || !text.includes('\ufffd'))
          yield isText ? { line, row: Object.fromEntries(texts) } : { line, fault: notUtf8 }
        }
      } catch (error) {
        if (error instanceof UnreadableSource) throw error
        if (isHeld(error)) throw new HeldSource(file)
        const reason = (error as Error).message
        throw new UnreadableSource(`The table ${table} cannot be read after its row ${line} (${reason}).`)
      }
    },
    ...(isAlone && {
      warning: `${file} is in WAL mode, and there is no ${file}-wal beside it. If it was copied while the service ran, the latest changes are missing: stop the service first, or copy the -wal file, too.`,
    }),
    close: () => db.close(),
  }
}

/**
 * Without a `-wal` file nobody writes: the file is opened as it is, so that a folder where nothing can be written does for it, and
 * nothing is left beside it. With one, SQLite reads both, and needs to write beside them unless another process has them open.
 */
function opened(file: string, unreadable: (error: unknown) => UnreadableSource): DatabaseSync {
  const wal = `${file}-wal`
  const hasWal = existsSync(wal)
  const isOpenedAsIs = isInWalMode(file) && !hasWal
  try {
    return readable(file, isOpenedAsIs)
  } catch (error) {
    if (!hasWal || !isInWalMode(file) || isHeld(error)) throw unreadable(error)
    try {
      if (statSync(wal).size === 0) return readable(file, true)
    } catch (again) {
      throw unreadable(again)
    }
    throw new UnreadableSource(
      `${file} has its latest changes in ${wal}, which SQLite reads only where it can write beside them (${(error as Error).message}): copy both files into a folder of your own, or stop the service first.`,
    )
  }
}

function readable(file: string, isAsIs: boolean): DatabaseSync {
  const place = pathToFileURL(file)
  if (isAsIs) place.searchParams.set('immutable', '1')
  const db = new DatabaseSync(place, {
    readOnly: true,
    readBigInts: true,
    timeout: busyTimeoutMs,
    limits: { length: lengthAtMost },
  })
  try {
    db.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    db.prepare('select count(*) from sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED: another process writes. */
function isHeld(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number }
  return [5, 6].includes(errcode & 0xff)
}

/** With the changes beside it. */
function sizeOf(file: string): number {
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return statSync(file).size + wal
}

/** SQLite's file format, §1.3: the read version of a file in WAL mode is 2. */
function isInWalMode(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(20)
    readSync(handle, header, 0, 20, 0)
    return header[19] === 2
  } finally {
    closeSync(handle)
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
}
