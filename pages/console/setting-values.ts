/** A setting as the API describes it, in words and as the lines that set it. */

export type Setting = {
  name: string
  value: unknown
  source: 'default' | 'file' | 'environment'
  secret: boolean
  default: string | null
  type: string
  unit: string | null
  /** In English, with code and links as in Markdown. */
  meaning: string
  needs_restart: boolean
}

/** From the largest: seconds in one, and its name for `Intl.NumberFormat`. */
const spans = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const
const units: Readonly<Record<string, readonly [seconds: number, unit: string]>> = {
  seconds: [1, 'second'],
  days: [86_400, 'day'],
  megabytes: [0, 'megabyte'],
}

/** Returns a number with its unit, a time in the largest unit that it is a multiple of; undefined for what has none. */
export function measured({ value, unit }: Pick<Setting, 'value' | 'unit'>): string | undefined {
  const [seconds, name] = units[unit ?? ''] ?? []
  const count = Number(value)
  if (seconds === undefined || name === undefined || !Number.isFinite(count)) return undefined
  const [length, span] = spans.find(([one]) => seconds > 0 && count > 0 && (count * seconds) % one === 0) ?? []
  const inSpans = length === undefined ? count : (count * seconds) / length
  return new Intl.NumberFormat(document.documentElement.lang, {
    ...{ style: 'unit', unit: span ?? name, unitDisplay: 'long' },
  }).format(inSpans)
}

/** What stands in the lines: the value in force, or else a place for one. */
function written({ value, secret }: Setting): string {
  if (secret || value === null || value === '') return '…'
  if (Array.isArray(value)) return value.join(',')
  return String(value)
}

/** Returns the line that sets it in a shell. */
export function environmentLine(setting: Setting): string {
  const value = written(setting)
  const quoted = /^[\w./:@,+…-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
  return `${setting.name.replaceAll(':', '__')}=${quoted}`
}

/** Returns the text that sets it in the file. */
export function fileText(setting: Setting): string {
  const { value } = setting
  const own: unknown = Array.isArray(value) ? value : typed(written(setting))
  return JSON.stringify(setting.name.split(':').reduceRight<unknown>((inner, name) => ({ [name]: inner }), own))
}

/** Numbers and flags of defaults are text, too. */
const typed = (text: string): unknown => (/^(?:true|false|0|[1-9]\d{0,14})$/.test(text) ? JSON.parse(text) : text)
