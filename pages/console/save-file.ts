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

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A list is written with blanks between its values; what is absent, as nothing. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map((value) => csvCell(Array.isArray(value) ? value.join(' ') : String(value ?? ''))).join(',')}\r\n`
