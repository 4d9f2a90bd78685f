/**
 * Reads the limits where the sources declare them, so that the page of limits cannot say another number. The constants stay
 * private to their modules: they are read from the text, and one that is gone or no number fails `npm run generate`.
 */
import { readFileSync } from 'node:fs'
import { settingsTable } from '../../src/settings/table.ts'

/** A number, or a product of numbers. */
const product = String.raw`([\d_.]+(?: \* [\d_.]+)*)`

/** Returns the number that `file`, below `src/`, declares as `name`; with `member` that member of the record `name`. */
function declared(file: string, name: string, member?: string): number {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
  const pattern =
    member === undefined
      ? String.raw`\bconst ${name}(?:: \w+)? = ${product}$`
      : String.raw`\bconst ${name}\b[^{]*\{[^}]*\b${member}: ${product}`
  const [, factors] = new RegExp(pattern, 'm').exec(text) ?? []
  if (factors === undefined) throw new Error(`src/${file} declares no number ${name}${member ? `.${member}` : ''}`)
  return factors.split(' * ').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1)
}

/** With commas from 10,000 on. */
function written(value: number): string {
  if (!Number.isInteger(value)) throw new Error(`${value} is no whole number`)
  return value < 10_000 ? String(value) : value.toLocaleString('en')
}

type Declared = Parameters<typeof declared>

const inUnits =
  (unit: number) =>
  (...constant: Declared): string =>
    written(declared(...constant) / unit)

export const count = inUnits(1)
export const kib = inUnits(1024)
export const mib = inUnits(1024 * 1024)
/** Of constants in milliseconds. */
export const seconds = inUnits(1000)
export const minutes = inUnits(60_000)
export const hours = inUnits(3_600_000)
export const days = inUnits(86_400_000)
/** Of a constant in seconds. */
export const daysOfSeconds = inUnits(86_400)

/** The default of a setting, as it is written in a source. */
export function setting(name: keyof typeof settingsTable): string {
  const text = settingsTable[name].default
  if (text === undefined || !/^\d+$/.test(text)) throw new Error(`${name} has no number as its default`)
  return written(Number(text))
}

/** A row of a table: its cells. */
export type Row = readonly string[]
