/** Comma-separated values (RFC 4180), read row by row. */
import { createReadStream } from 'node:fs'
import { notUtf8, UnreadableSource } from './source.ts'

/** `fault`: why the row cannot be read, as a whole sentence. */
export type CsvRow = { readonly line: number } & (
  | { readonly values: readonly string[]; readonly isQuoted: readonly boolean[] }
  | { readonly fault: string }
)

/** A row as an object by the names of the heading row, with the names of those that were quoted, or why it is none. */
export type NamedRow = { readonly line: number } & (
  | { readonly row: Readonly<Record<string, string>>; readonly quoted: ReadonlySet<string> }
  | { readonly fault: string }
)

const rowLengthAtMost = 1_000_000
const valuesAtMost = 10_000

/** Returns the rows of a file with a heading row. Empty lines are passed over. */
export async function* namedRows(file: string): AsyncGenerator<NamedRow> {
  let names: readonly string[] | undefined
  for await (const read of csvRows(file)) {
    const { line } = read
    if (names === undefined) {
      names = headingOf(read)
      continue
    }
    if ('fault' in read) yield read
    else if (read.values.length !== names.length)
      yield { line, fault: 'The row has another number of values than the heading.' }
    else if (read.values.some((value) => value.includes('\ufffd'))) yield { line, fault: notUtf8 }
    else {
      const quoted = new Set(names.filter((_, at) => read.isQuoted[at]))
      yield { line, row: Object.fromEntries(names.map((name, at) => [name, read.values[at] ?? ''])), quoted }
    }
  }
}

/** Returns the names of the heading row; none: the file is empty. Throws `UnreadableSource`. */
export async function headingIn(file: string): Promise<readonly string[]> {
  for await (const read of csvRows(file)) return headingOf(read)
  return []
}

function headingOf(read: CsvRow): readonly string[] {
  if ('fault' in read) throw new UnreadableSource(`The heading cannot be read: ${read.fault}`)
  const names = read.values.map((name) => name.trim())
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (repeated !== undefined) throw new UnreadableSource(`The heading names ${repeated} twice.`)
  return names
}

/** The separator is a comma, or a semicolon or tab if the first line has no comma. */
export async function* csvRows(file: string): AsyncGenerator<CsvRow> {
  let separator = ''
  let field = ''
  let values: string[] = []
  let quotes: boolean[] = []
  /** Whether the field began with a quotation mark. */
  let hasQuotes = false
  let line = 1
  let startLine = 1
  let length = 0
  let isQuoted = false
  let wasQuote = false
  const endless = () => new UnreadableSource(`Line ${startLine} has a field without an end.`)
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })
  let isFirst = true
  for await (const chunk of stream) {
    const text = isFirst ? (chunk as string).replace(/^\ufeff/, '') : (chunk as string)
    if (isFirst) separator = separatorOf(text)
    isFirst = false
    for (const character of text) {
      if (character === '\n') line += 1
      length += 1
      const isTooLong = length > rowLengthAtMost || values.length > valuesAtMost
      if (isTooLong && isQuoted && !wasQuote) throw endless()
      if (isTooLong && character !== '\n') {
        // The rest of the line is passed over.
        field = ''
        isQuoted = false
        wasQuote = false
        continue
      }
      if (isQuoted) {
        if (wasQuote) {
          wasQuote = false
          if (character === '"') {
            field += '"'
            continue
          }
          isQuoted = false
        } else if (character === '"') {
          wasQuote = true
          continue
        } else {
          field += character
          continue
        }
      }
      if (character === '"' && field === '') {
        isQuoted = true
        hasQuotes = true
      } else if (character === separator) {
        values.push(field)
        quotes.push(hasQuotes)
        field = ''
        hasQuotes = false
      } else if (character === '\n') {
        values.push(field.replace(/\r$/, ''))
        quotes.push(hasQuotes)
        if (isTooLong) yield { line: startLine, fault: tooLong }
        else if (values.length > 1 || values[0] !== '') yield { line: startLine, values, isQuoted: quotes }
        values = []
        quotes = []
        hasQuotes = false
        field = ''
        length = 0
        startLine = line
      } else field += character
    }
  }
  if (isQuoted && !wasQuote) throw endless()
  if (length > rowLengthAtMost || values.length > valuesAtMost) yield { line: startLine, fault: tooLong }
  else if (field !== '' || values.length > 0) {
    yield { line: startLine, values: [...values, field.replace(/\r$/, '')], isQuoted: [...quotes, hasQuotes] }
  }
}

const tooLong = `The row has more than ${rowLengthAtMost} characters, or more than ${valuesAtMost} values.`

function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  return [',', ';', '\t'].find((one) => first.includes(one)) ?? ','
}
