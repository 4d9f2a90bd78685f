/** Tables as CSV files in a folder, each named after its table, as three systems write them. */
import { readdirSync } from 'node:fs'
import { headingIn, type NamedRow, namedRows } from './csv.ts'
import { fileIn } from './files.ts'
import { commonForm } from './table-shapes.ts'
import type { TableRow, TableSource } from './table-source.ts'

/**
 * How a missing value is written. `copy`: `\copy … csv header` of PostgreSQL, where an unquoted empty field is missing, and `NULL` is a
 * text. `word`: SQL Server's tools, where `NULL` is missing as well. `empty`: others, where an empty field is missing, and so is `\N`.
 */
type Dialect = 'copy' | 'word' | 'empty'

const booleans = new Set(['emailconfirmed', 'phonenumberconfirmed', 'twofactorenabled', 'lockoutenabled'])
/** Ids, hashes, times and JSON: none of these is ever the text `NULL`. */
const neverWords = new Set([
  ...['id', 'passwordhash', 'securitystamp', 'concurrencystamp', 'lockoutend', 'concurrencytoken', 'clientsecret'],
  ...[
    'jsonwebkeyset',
    'permissions',
    'requirements',
    'redirecturis',
    'postlogoutredirecturis',
    'properties',
    'settings',
  ],
  ...['displaynames', 'descriptions', 'resources'],
])

export async function csvFolder(folder: string): Promise<TableSource> {
  const names = readdirSync(folder)
    .filter((name) => /\.csv$/i.test(name))
    .sort()
    .map((name) => name.slice(0, -4))
  const extension = (table: string) => (readdirSync(folder).includes(`${table}.csv`) ? 'csv' : 'CSV')
  const fileOf = (table: string) => fileIn(folder, `${table}.${extension(table)}`)
  const present = names.filter((table) => fileOf(table) !== undefined)
  const dialect = await dialectOf(present.flatMap((table) => fileOf(table) ?? []))
  return {
    names: present,
    async columns(table) {
      const file = fileOf(table)
      return file === undefined ? [] : headingIn(file)
    },
    async *rows(table) {
      const file = fileOf(table)
      if (file === undefined) return
      for await (const read of namedRows(file)) {
        yield 'fault' in read ? read : { line: read.line, row: withNulls(read, dialect) }
      }
    },
    close() {},
  }
}

/** All files of a folder are of one system. The first value that only one of them writes decides. */
async function dialectOf(files: readonly string[]): Promise<Dialect> {
  for (const file of files) {
    const heading = (await headingIn(file)).map(commonForm)
    if (!heading.some((name) => booleans.has(name) || neverWords.has(name))) continue
    for await (const read of namedRows(file)) {
      if ('fault' in read) continue
      for (const [name, text] of Object.entries(read.row)) {
        const form = commonForm(name)
        if (booleans.has(form) && /^[tf]$/.test(text)) return 'copy'
        if (neverWords.has(form) && text === 'NULL') return 'word'
      }
    }
  }
  return 'empty'
}

function withNulls({ row, quoted }: Extract<NamedRow, { row: unknown }>, dialect: Dialect): TableRow {
  const isMissing = (name: string, text: string) => {
    if (dialect === 'copy') return text === '' && !quoted.has(name)
    return text === '' || (text === 'NULL' && dialect === 'word' && !quoted.has(name)) || text === '\\N'
  }
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, isMissing(name, text) ? null : text]))
}
