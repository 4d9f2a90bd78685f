/** Values of declared attributes: what they may be, and how they are read from text and compared. */
import { lineFault, type Problem, problem } from '../problem.ts'
import { type Attribute, integerAtMost, textLengthByDefault } from './attributes.ts'
import { normalizeName } from './user.ts'
import type { AttributeValue, AttributeValues } from './user-attributes.ts'

export type { AttributeValue, AttributeValues }

const bytesOfPersonAtMost = 16_384
const valuesAtMost = 100

/** Whether the whole text matches a pattern in RE2 syntax. */
export type Matches = (pattern: string, text: string) => boolean

/** Returns what is wrong with a value, as the end of a sentence; undefined: nothing. */
export function valueFault(attribute: Attribute, value: unknown, matches: Matches): string | undefined {
  if (!attribute.many) return singleFault(attribute, value, matches)
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of values'
  if (value.length > valuesAtMost) return `must have at most ${valuesAtMost} values`
  for (const one of value) {
    const fault = singleFault(attribute, one, matches)
    if (fault !== undefined) return `has a value that ${fault}`
  }
  return undefined
}

function singleFault(attribute: Attribute, value: unknown, matches: Matches): string | undefined {
  const { type, choices } = attribute
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'integer':
      return integerFault(attribute, value)
    case 'date':
      return typeof value === 'string' && isFullDate(value) ? undefined : 'must be a date such as 2026-03-01'
    case 'choice': {
      const known = choices.map((choice) => choice.value)
      return typeof value === 'string' && known.includes(value) ? undefined : `must be one of ${known.join(', ')}`
    }
    case 'text':
      return textFault(attribute, value, matches)
  }
}

function integerFault({ min, max }: Attribute, value: unknown): string | undefined {
  // A text of more digits than numbers hold exactly is read as infinite.
  const isWhole = typeof value === 'number' && (Number.isInteger(value) || Math.abs(value) === Infinity)
  if (!isWhole) return 'must be a whole number'
  const [least, most] = [min ?? -integerAtMost, max ?? integerAtMost]
  return value < least || value > most ? `must be from ${least} to ${most}` : undefined
}

function textFault({ min, max, pattern }: Attribute, value: unknown, matches: Matches): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  const fault = lineFault(value, max ?? textLengthByDefault)
  if (fault !== undefined) return fault
  if (min !== null && [...value].length < min) return `must have at least ${min} characters`
  return pattern === null || matches(pattern, value) ? undefined : `must match the pattern ${pattern}`
}

/** RFC 3339 §5.6 `full-date`. */
export function isFullDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * Reads a value as commands, forms and CSV files write it; undefined: there is none, the text is empty. What is no value of the type is
 * returned as it is, for `valueFault` to say so. A list is a JSON array, or a single value.
 */
export function readValue({ type, many }: Pick<Attribute, 'type' | 'many'>, text: string): unknown {
  if (text === '') return undefined
  if (!many) return readSingle(type, text)
  const list = text.startsWith('[') ? parsedList(text) : [text]
  if (list === undefined) return text
  const values = list.map((one) => (typeof one === 'string' ? readSingle(type, one) : one))
  return values.length === 0 ? undefined : [...new Set(values)]
}

function readSingle(type: Attribute['type'], text: string): unknown {
  if (type === 'integer') return /^-?\d+$/.test(text) ? exactNumber(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function exactNumber(digits: string): number {
  const number = Number(digits)
  // 2^53 + 1 is rounded to 2^53, from which the last digit tells it.
  const isExact = Math.abs(number) <= integerAtMost && digits.endsWith(String(number).slice(-1))
  return isExact ? number : Math.sign(number) * Infinity
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the texts by which values are found and compared: text as user names are. */
export function keysOf(value: AttributeValue): readonly string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => (typeof one === 'string' ? normalizeName(one) : String(one)))
}

/** Judges all values of a person together. */
export function sizeProblems(values: Readonly<Record<string, unknown>>): Problem[] {
  return Buffer.byteLength(JSON.stringify(values)) > bytesOfPersonAtMost
    ? [problem('attributes', 'The attributes of a person', `have at most ${bytesOfPersonAtMost} bytes as JSON`)]
    : []
}
