/** Sources of ASP.NET Core Identity and OpenIddict that have every table and column which an import relies on. */
import { identityShapes, openIddictShapes, type Shapes } from '../../src/import/table-shapes.ts'

const shapesOf = (table: string): Shapes => (Object.hasOwn(openIddictShapes, table) ? openIddictShapes : identityShapes)

/** Adds columns without values to CSV files of one line a row, and headings of the tables that are not there. */
export function wholeFolder(folder: string, tables: Readonly<Record<string, string>>): Record<string, string> {
  const [first = 'AspNetUsers'] = Object.keys(tables)
  const all = Object.entries(shapesOf(first)).map(([table, { columns }]) => {
    const given = tables[table]
    if (given === undefined) return [`${folder}/${table}.csv`, `${columns.join(',')}\n`]
    const [heading = '', ...rows] = given.split('\n')
    const separator = heading.includes(',') ? ',' : ';'
    const more = columns.filter((column) => !heading.split(separator).includes(column))
    const padded = rows.map((row) => (row === '' ? row : row + separator.repeat(more.length)))
    return [`${folder}/${table}.csv`, [[heading, ...more].join(separator), ...padded].join('\n')]
  })
  return Object.fromEntries(all)
}

/** SQL that makes the tables that are not there. `table`: one of them. */
export const wholeSchema = (table = 'AspNetUsers'): string =>
  Object.entries(shapesOf(table))
    .map(
      ([name, { columns }]) => `create table if not exists "${name}" (${columns.map((one) => `"${one}"`).join(', ')});`,
    )
    .join('\n')
