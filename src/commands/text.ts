/** Plain text for people: tables, records, times. */

/** Columns as wide as their widest cell. `rows` must not be empty: an empty list deserves a sentence. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

/** One record: a name and a value a line. Several values are stacked. */
export function record(entries: readonly (readonly [name: string, value: string | readonly string[]])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries
    .flatMap(([name, value]) => {
      const values = typeof value === 'string' ? [value] : value.length === 0 ? ['–'] : value
      return values.map((item, index) => `${(index === 0 ? name : '').padEnd(width)}  ${item}`)
    })
    .join('\n')
}

/** ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** For tables: to the minute. */
export function shortTime(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace('T', ' ')}Z`
}

/** What is wrong with a short line of text, as the end of a sentence; undefined: nothing. */
export function lineFault(text: string, maxLength: number): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (text.trim() !== text) return 'must not begin or end with a space'
  // Controls, line separators, and the marks that turn the direction of text and so can disguise a name.
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text) || !text.isWellFormed()) {
    return 'must not contain control characters'
  }
  return [...text].length > maxLength ? `must have at most ${maxLength} characters` : undefined
}
