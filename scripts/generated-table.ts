/** A generated table in a page that is otherwise written by hand. */
import { readFile } from 'node:fs/promises'

const end = '<!-- The end of what is generated. -->'

/** Returns the page with the table between its two marks. `source`: the file that the page names as the table's source. */
export async function withTable(
  page: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  source: string,
): Promise<string> {
  const begin = `<!-- Generated from ${source}; change it there. -->`
  const text = await readFile(new URL(`../${page}`, import.meta.url), 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for a table from ${source}`)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
  return `${before}${begin}\n${table}\n${end}${after}`
}
