/** Tables of another system, found by their names, with the columns that an import relies on. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { csvFolder } from './csv-tables.ts'
import { type ReaderOptions, UnreadableSource } from './source.ts'
import { sqliteFile } from './sqlite-tables.ts'
import { commonForm, type Shapes, type TableShape } from './table-shapes.ts'
import type { ReadRow, TableRow, TableSource, UnreadRow } from './table-source.ts'

export type { ReadRow, TableRow, UnreadRow } from './table-source.ts'

export const faultIn = (table: string, { line, fault }: UnreadRow): UnreadRow => {
  return { line, fault: `${table}: ${fault}`, place: { table } }
}

export type Tables = {
  /** Returns the rows of a table by the framework's names of its columns; none if it was said that there is no such table. */
  rows(table: string): AsyncIterable<ReadRow>
  /** Copies a table to disk, so that `find` returns its rows by the value of a column. Yields those that cannot be read or found. */
  index(table: string, column: string): AsyncIterable<UnreadRow>
  find(table: string, value: string): readonly TableRow[]
  /** Returns all columns of a table: the framework's by its names, and a company's own. */
  columns(table: string): readonly string[]
  /** What an operator should know of the source, as a whole sentence; undefined: nothing. */
  readonly warning?: string
  close(): void
}

/** By the framework's name, the name of the table or file that is meant; empty: there is none. */
export type NamedTables = ReadonlyMap<string, string>

/** More than any rule accepts for a person. */
const foundAtMost = 1000

/** A table of the source, and what its columns are called here. */
type Found = { readonly name: string; readonly columns: ReadonlyMap<string, string> }

/** Throws `UnreadableSource` with everything that is missing at once. */
export async function openTables(
  place: string,
  shapes: Shapes,
  { tables: named = new Map(), opening = (open) => open() }: Pick<ReaderOptions, 'tables' | 'opening'>,
): Promise<Tables> {
  if (!existsSync(place)) throw new UnreadableSource(`There is no file or folder ${place}.`)
  const source = await (statSync(place).isDirectory() ? csvFolder(place) : opening(async () => sqliteFile(place)))
  try {
    return tablesOf(source, await foundIn(place, source, shapes, named))
  } catch (error) {
    source.close()
    throw error
  }
}

function tablesOf(source: TableSource, found: ReadonlyMap<string, Found>): Tables {
  // A temporary database on disk.
  const copies = new DatabaseSync('')
  const finders = new Map<string, (value: string) => readonly TableRow[]>()
  async function* rows(table: string): AsyncGenerator<ReadRow> {
    const at = found.get(table)
    if (at === undefined) return
    for await (const read of source.rows(at.name)) {
      yield 'fault' in read ? read : { line: read.line, row: named(read.row, at.columns) }
    }
  }
  return {
    rows,
    async *index(table, column) {
      const name = `copy_${finders.size}`
      copies.exec(`create table ${name} (value text, content text)`)
      const insert = copies.prepare(`insert into ${name} values (?, ?)`)
      copies.exec('begin')
      for await (const read of rows(table)) {
        if (!('row' in read)) {
          yield faultIn(table, read)
          continue
        }
        const value = read.row[column]
        if (typeof value === 'string') insert.run(keyForm(value), JSON.stringify(read.row))
        else yield faultIn(table, { line: read.line, fault: `The row has no ${column}.` })
      }
      copies.exec(`commit; create index ${name}_by_value on ${name} (value)`)
      const select = copies.prepare(`select content from ${name} where value = ? limit ${foundAtMost}`)
      finders.set(table, (value) => select.all(keyForm(value)).map(({ content }) => JSON.parse(String(content))))
    },
    find: (table, value) => finders.get(table)?.(value) ?? [],
    columns: (table) => [...(found.get(table)?.columns.values() ?? [])],
    ...(source.warning !== undefined && { warning: source.warning }),
    close() {
      copies.close()
      source.close()
    },
  }
}

/**
 * Returns a key as the framework's `ToString()` writes it: a Guid is always in small letters, and databases show it in capitals.
 * Other texts stay.
 */
export function keyForm(key: string): string {
  return /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(key) ? key.toLowerCase() : key
}

const named = (row: TableRow, columns: ReadonlyMap<string, string>): TableRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [columns.get(name) ?? name, value]))

async function foundIn(place: string, source: TableSource, shapes: Shapes, given: NamedTables) {
  const found = new Map<string, Found>()
  const missing: string[] = []
  const unknown = [...given.keys()].find((table) => !Object.hasOwn(shapes, table))
  if (unknown !== undefined) {
    throw new UnreadableSource(`--table ${unknown}: the tables are ${Object.keys(shapes).join(', ')}.`)
  }
  const taken = new Set<string>()
  for (const [table, shape] of Object.entries(shapes)) {
    const name = nameOf(source.names, table, given.get(table))
    if (name === null) continue
    if (name === undefined) {
      if (shape.isLater !== true) missing.push(table)
      continue
    }
    found.set(table, { name, columns: columnsOf(table, shape, await source.columns(name)) })
    taken.add(name)
  }
  const faults = [
    ...(await Promise.all(missing.map((table) => lacking(source, shapes, table, taken)))),
    ...[...found].flatMap(([table, { name, columns }]) => {
      const present = new Set(columns.values())
      const lost = (shapes[table]?.columns ?? []).filter((column) => !present.has(column))
      const called = name === table ? table : `${table} (${name})`
      return lost.length === 0 ? [] : [`the column${lost.length > 1 ? 's' : ''} ${lost.join(', ')} of ${called}`]
    }),
  ]
  if (faults.length === 0) return found
  const without = 'Something of people or applications would be lost without a line about it, so nothing is imported.'
  const meant =
    'An empty column has no values, a file with a heading alone is a table without rows, and --table NAME= says that there is none.'
  throw new UnreadableSource(`${place} lacks ${faults.join('; ')}. ${without} ${meant}`)
}

/** Returns undefined where there is no such table, and null where that was said. */
function nameOf(names: readonly string[], table: string, meant: string | undefined): string | null | undefined {
  if (meant === '') return null
  if (meant !== undefined) {
    const isIt = (name: string) => name === meant.replace(/\.csv$/i, '')
    const name = names.find(isIt)
    if (name === undefined) throw new UnreadableSource(`--table ${table}=${meant}: there is no table ${meant}.`)
    return name
  }
  if (names.includes(table)) return table
  const alike = names.filter((name) => commonForm(name) === commonForm(table))
  if (alike.length <= 1) return alike[0]
  throw new UnreadableSource(`${alike.join(' and ')} may both be ${table}: say which with --table ${table}=NAME.`)
}

/** Names the tables that look like a missing one. */
async function lacking(source: TableSource, shapes: Shapes, table: string, taken: ReadonlySet<string>) {
  const needed = (shapes[table]?.columns ?? []).map(commonForm)
  const alike: string[] = []
  for (const name of source.names.filter((one) => !taken.has(one))) {
    try {
      const present = new Set((await source.columns(name)).map(commonForm))
      if (needed.every((column) => present.has(column))) alike.push(name)
    } catch (error) {
      if (!(error instanceof UnreadableSource)) throw error
    }
  }
  if (alike.length === 0) return `the table ${table}`
  const ways = alike.map((name) => `--table ${table}=${name}`).join(' or ')
  return `the table ${table} (${alike.join(' and ')} ${alike.length > 1 ? 'have' : 'has'} its columns: ${ways})`
}

/** Returns the framework's names of the columns that it has, and the names of the others as they are. */
function columnsOf(table: string, { columns, others = [] }: TableShape, present: readonly string[]) {
  const known = [...columns, ...others]
  const names = new Map(present.map((name) => [name, name]))
  for (const column of known) {
    if (names.has(column)) continue
    const alike = present.filter((name) => commonForm(name) === commonForm(column))
    if (alike.length > 1) throw new UnreadableSource(`${alike.join(' and ')} of ${table} may both be ${column}.`)
    if (alike[0] !== undefined) names.set(alike[0], column)
  }
  return names
}
