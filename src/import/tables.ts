/** Tables of another system, from an SQLite file or from a folder of CSV files named after the tables. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SourcePlace } from '../storage/port/imports.ts'
import { namedRows } from './csv.ts'
import { fileIn } from './files.ts'
import { notUtf8, UnreadableSource } from './source.ts'

/** Values as texts; null: none. */
export type TableRow = Readonly<Record<string, string | null>>

/** With the line in its file, or the number of the row. `fault`: why it cannot be read, as a whole sentence. */
export type ReadRow = { readonly line: number } & ({ readonly row: TableRow } | { readonly fault: string })

/** `fault`: names the table, too. */
export type UnreadRow = { readonly line: number; readonly fault: string; readonly place?: SourcePlace }

export const faultIn = (table: string, { line, fault }: UnreadRow): UnreadRow => {
  return { line, fault: `${table}: ${fault}`, place: { table } }
}

export type Tables = {
  /** Returns the rows of a table; none if there is no such table. */
  rows(table: string): AsyncIterable<ReadRow>
  /** Copies a table to disk, so that `find` returns its rows by the value of a column. Yields those that cannot be read or found. */
  index(table: string, column: string): AsyncIterable<UnreadRow>
  find(table: string, value: string): readonly TableRow[]
  close(): void
}

/** More than any rule accepts for a person. */
const foundAtMost = 1000
/** In bytes, for a value and for a row of an SQLite file. */
const lengthAtMost = 2_000_000

/** Throws `UnreadableSource` if `required` is not among the tables. */
export function openTables(place: string, required: string): Tables {
  if (!existsSync(place)) throw new UnreadableSource(`There is no file or folder ${place}.`)
  const source = statSync(place).isDirectory() ? csvFolder(place) : sqliteFile(place)
  if (!source.has(required)) {
    source.close()
    throw new UnreadableSource(
      `${place} has no table ${required}: name an SQLite file, or a folder with ${required}.csv.`,
    )
  }
  // A temporary database on disk.
  const copies = new DatabaseSync('')
  const finders = new Map<string, (value: string) => readonly TableRow[]>()
  return {
    rows: source.rows,
    async *index(table, column) {
      const name = `copy_${finders.size}`
      copies.exec(`create table ${name} (value text, content text)`)
      const insert = copies.prepare(`insert into ${name} values (?, ?)`)
      copies.exec('begin')
      for await (const read of source.rows(table)) {
        if (!('row' in read)) {
          yield faultIn(table, read)
          continue
        }
        const value = read.row[column]
        if (typeof value === 'string') insert.run(value, JSON.stringify(read.row))
        else yield faultIn(table, { line: read.line, fault: `The row has no ${column}.` })
      }
      copies.exec(`commit; create index ${name}_by_value on ${name} (value)`)
      const select = copies.prepare(`select content from ${name} where value = ? limit ${foundAtMost}`)
      finders.set(table, (value) => select.all(value).map(({ content }) => JSON.parse(String(content))))
    },
    find: (table, value) => finders.get(table)?.(value) ?? [],
    close() {
      copies.close()
      source.close()
    },
  }
}

type Source = Pick<Tables, 'rows' | 'close'> & { has(table: string): boolean }

function csvFolder(folder: string): Source {
  const fileOf = (table: string) => fileIn(folder, `${table}.csv`)
  return {
    has: (table) => fileOf(table) !== undefined,
    async *rows(table) {
      const file = fileOf(table)
      if (file === undefined) return
      for await (const read of namedRows(file)) {
        yield 'fault' in read ? read : { line: read.line, row: withNulls(read.row) }
      }
    },
    close() {},
  }
}

/** Tools write a missing value as nothing, `NULL` or `\N`. */
function withNulls(row: Readonly<Record<string, string>>): TableRow {
  const isMissing = (text: string) => text === '' || text === 'NULL' || text === '\\N'
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, isMissing(text) ? null : text]))
}

/** A file is not trusted: it can have views, virtual tables and computed columns that run without an end. */
function sqliteFile(file: string): Source {
  const unreadable = (error: unknown) =>
    new UnreadableSource(`${file} cannot be read as an SQLite file (${(error as Error).message}).`)
  let db: DatabaseSync
  try {
    db = new DatabaseSync(file, { readOnly: true, readBigInts: true, limits: { length: lengthAtMost } })
    db.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    db.prepare('select count(*) from sqlite_schema').get()
  } catch (error) {
    throw unreadable(error)
  }
  const has = (table: string): boolean => {
    const found = db.prepare('select type, sql from sqlite_schema where name = ?').get(table)
    if (found === undefined) return false
    const isVirtual = /^\s*create\s+virtual/i.test(String(found.sql))
    if (found.type !== 'table' || isVirtual) throw new UnreadableSource(`${table} in ${file} is no table of its own.`)
    const computed = db.prepare('select 1 from pragma_table_xinfo(?) where hidden <> 0').get(table)
    if (computed !== undefined) throw new UnreadableSource(`${table} in ${file} has computed columns.`)
    return true
  }
  return {
    has(table) {
      try {
        return has(table)
      } catch (error) {
        throw error instanceof UnreadableSource ? error : unreadable(error)
      }
    },
    async *rows(table) {
      let line = 0
      try {
        if (!has(table)) return
        for (const row of db.prepare(`select * from "${table}"`).iterate()) {
          line += 1
          const texts = Object.entries(row).map(([name, value]) => [name, textOf(value)] as const)
          const isText = texts.every(([, text]) => text === null || !text.includes('\ufffd'))
          yield isText ? { line, row: Object.fromEntries(texts) } : { line, fault: notUtf8 }
        }
      } catch (error) {
        if (error instanceof UnreadableSource) throw error
        const reason = (error as Error).message
        throw new UnreadableSource(`The table ${table} cannot be read after its row ${line} (${reason}).`)
      }
    },
    close: () => db.close(),
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
}
