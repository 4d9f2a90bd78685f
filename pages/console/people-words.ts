/**
 * The words of the search for people: `role:editor is:locked created:<7d ada`. Those with a colon are filters, which the address
 * keeps under names of their own; the others are looked for.
 */

/** What the list is asked for, as the address has it. Empty: not asked. */
export type PeopleFilters = Readonly<Record<FilterName, string>>
export type FilterName = (typeof filterNames)[number]
export const filterNames = [
  'search',
  'role',
  'group',
  'source',
  'locked',
  'email_verified',
  'second_factor',
  'created',
  'last',
] as const

/** `known`: what could stand in its place. */
export type UnknownWord = { readonly word: string; readonly known: readonly string[] }
export type Typed = { readonly filters: PeopleFilters; readonly unknown: readonly UnknownWord[] }

/** The filters that are words as a whole. */
const flags: Readonly<Record<string, readonly [FilterName, string]>> = {
  'is:locked': ['locked', 'true'],
  'is:unlocked': ['locked', 'false'],
  'is:confirmed': ['email_verified', 'true'],
  'is:unconfirmed': ['email_verified', 'false'],
  'has:factor': ['second_factor', 'true'],
  'no:factor': ['second_factor', 'false'],
}
/** The filters that a value follows. */
const named: readonly FilterName[] = ['role', 'group', 'source']
const timed: readonly FilterName[] = ['created', 'last']

export const noFilters = Object.fromEntries(filterNames.map((name) => [name, ''])) as PeopleFilters

/** What can begin a word, with an example of each. */
export const peopleWords: readonly string[] = [
  ...Object.keys(flags),
  'role:',
  'group:',
  'source:',
  'created:<7d',
  'created:>90d',
  'last:<7d',
  'last:>90d',
]

/** Of one that is not known, what may have been meant: those with the same beginning up to the colon, or all of them. */
function meant(word: string): readonly string[] {
  const near = peopleWords.filter((one) => one.startsWith(word.slice(0, word.indexOf(':') + 1)))
  return near.length > 0 ? near : peopleWords
}

export function readWords(typed: string): Typed {
  const filters: Record<FilterName, string> = { ...noFilters }
  const unknown: UnknownWord[] = []
  const sought: string[] = []
  for (const word of typed.match(/[^\s":]+:"[^"]*"?|\S+/g) ?? []) {
    const at = word.indexOf(':')
    const key = word.slice(0, at).toLowerCase() as FilterName
    const value = word.slice(at + 1).replaceAll('"', '')
    const flag = flags[word.toLowerCase()]
    if (flag !== undefined) filters[flag[0]] = flag[1]
    else if (!/^[a-z]+:/i.test(word)) sought.push(word)
    // Somebody is about to type the value.
    else if (named.includes(key) && value === '') continue
    else if (timed.includes(key) && /^[<>]?\d*$/.test(value)) continue
    else if (named.includes(key)) filters[key] = value
    else if (timed.includes(key) && spanOf(value) !== undefined) filters[key] = value.toLowerCase()
    else unknown.push({ word, known: meant(word.toLowerCase()) })
  }
  filters.search = sought.join(' ')
  return { filters, unknown }
}

/** Returns the text that reads as these filters. */
export function writeWords(filters: PeopleFilters): string {
  const words = Object.entries(flags).flatMap(([word, [name, value]]) => (filters[name] === value ? [word] : []))
  for (const name of [...named, ...timed])
    if (filters[name] !== '') words.push(`${name}:${/\s/.test(filters[name]) ? `"${filters[name]}"` : filters[name]}`)
  return [...words, ...(filters.search === '' ? [] : [filters.search])].join(' ')
}

const units = { h: 3_600_000, d: 86_400_000, w: 604_800_000, m: 2_592_000_000, y: 31_536_000_000 } as const

/** `<7d`: less than seven days ago; `>90d`: more. In hours, days, weeks, months of 30 days, years of 365. */
function spanOf(text: string): { readonly isLess: boolean; readonly ms: number; readonly unitMs: number } | undefined {
  const [, sign, count, unit] = /^([<>])(\d{1,4})([hdwmy])$/i.exec(text) ?? []
  if (sign === undefined || unit === undefined) return undefined
  const unitMs = units[unit.toLowerCase() as keyof typeof units]
  return { isLess: sign === '<', ms: Number(count) * unitMs, unitMs }
}

/** Returns the bounds of a time. They stay the same for some while, so that pages belong together: an hour, or for long spans a day. */
export function boundsOf(text: string, nowMs: number): { readonly after?: string; readonly before?: string } {
  const span = spanOf(text)
  if (span === undefined) return {}
  const step = Math.min(span.unitMs, units.d)
  const at = new Date(Math.floor(nowMs / step) * step - span.ms).toISOString()
  return span.isLess ? { after: at } : { before: at }
}

/** Returns what the word that is being typed may become: the last one, if it has no end yet. */
export function suggestionsFor(typed: string): readonly string[] {
  const begun = /(?:^|\s)(\S+)$/.exec(typed)?.[1]?.toLowerCase() ?? ''
  if (begun === '') return []
  return peopleWords.filter((one) => one.startsWith(begun) && one !== begun)
}

/** Returns the text with the last word completed. */
export function completed(typed: string, word: string): string {
  const before = typed.replace(/\S*$/, '')
  return before + word + (word.endsWith(':') ? '' : ' ')
}
