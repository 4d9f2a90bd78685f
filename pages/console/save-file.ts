/** Files that the console makes of what it read. */

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/**
 * What a spreadsheet may take for the beginning of a formula: that of a cell, and of what becomes one where cells end at another
 * character than a comma, as in the languages that write decimals with one. There quotes inside a cell are text, and a line ends in it.
 */
const formulas = /(^|[;|\t\r\n])(?=["'\s]*[=+\-@＝＋－＠]|[\t\r\n])/g

/** RFC 4180. An apostrophe stands before what a spreadsheet would take for a formula. */
export function csvCell(text: string): string {
  const harmless = text.replaceAll(formulas, "$1'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A list is written with blanks between its values; what is absent, as nothing. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map((value) => csvCell(Array.isArray(value) ? value.join(' ') : String(value ?? ''))).join(',')}\r\n`
