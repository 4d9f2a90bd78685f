/** Formats tables and records for terminals. */
import { visible } from '../text.ts'

/** Formats columns as wide as their widest cell. `rows` must not be empty; print a sentence instead. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(visible))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...shown.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...shown].map(line).join('\n')
}

/** Formats one record, a name and value per line. Stacks multiple values. */
export function record(entries: readonly (readonly [name: string, value: string | readonly string[]])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries
    .flatMap(([name, value]) => {
      const values = typeof value === 'string' ? [value] : value.length === 0 ? ['–'] : value
      return values.map((item, index) => `${(index === 0 ? name : '').padEnd(width)}  ${visible(item)}`)
    })
    .join('\n')
}
