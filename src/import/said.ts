/** What is said of a record of an import: by which name, and what was found. */
import type { ImportFailure, SourcePlace } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { FaultOf, Item, SourceRecord } from './source.ts'

/** In characters. A reason may quote what a file says. */
const reasonLengthAtMost = 1000

/** Returns what a record is and how the source calls it; undefined: it has no name. */
export function whatIs(source: Exclude<SourceRecord, { fault: unknown } | { noted: unknown }>): FaultOf | undefined {
  if ('client' in source) return { kind: 'client', source: source.client.id }
  if ('scope' in source) return { kind: 'scope', source: source.scope.name }
  if ('role' in source) return { kind: 'role', source: source.role.name }
  if ('group' in source) return { kind: 'group', source: source.group.path }
  const { username, email, id } = source.person
  const name = [username, email, id].find((one) => typeof one === 'string' && one !== '')
  return name === undefined ? undefined : { kind: 'person', source: cut(String(name)) }
}

/** Returns why an item is left out, named by the person, client, table or file, and its findings. `file`: the name of the file. */
export function failureOf(file: string, item: Item): ImportFailure[] {
  const { record, line, place, of } = item
  // Of somebody who is passed over nothing is new, but for what a later import of the same source found.
  const isPassedOver = 'done' in item && item.done === 'skipped' && !('notes' in item) && item.origin === undefined
  const findings = isPassedOver ? [] : (item.findings ?? [])
  const all = findings.map((one) => ({ ...tableOf(place), ...one, reason: cut(nameIn(one.reason, one.source)) }))
  const at = { record, line, ...(place && { place }) }
  if (!('fault' in item)) return all.length > 0 ? [{ ...at, reason: '', findings: all }] : []
  const reason = cut(nameIn(item.fault, of?.source ?? place?.key ?? place?.table ?? place?.file ?? file))
  if ('isThere' in item && item.isThere === true) return [{ ...at, reason, isThere: true }]
  const { member = '' } = { ...of, ...item }
  const { command } = of ?? {}
  const about = { member, severity: 'lost' as const, reason, ...(command && { command }) }
  const lost = of && { kind: of.kind, source: of.source, ...about, ...tableOf(place) }
  const left = lost ? [lost, ...all] : all
  return [{ ...at, reason, ...(left.length > 0 && { findings: left }) }]
}

const tableOf = ({ table, key }: SourcePlace = {}) => ({ ...(table && { table }), ...(key && { key }) })

/** A reason says whom it is about. */
function nameIn(reason: string, name: string): string {
  return name === '' || names(reason, name) ? reason : `${name}: ${reason}`
}

/** Whether the name is there as a word of its own: web is none of web_origins. */
function names(reason: string, name: string): boolean {
  for (let at = reason.indexOf(name); at !== -1; at = reason.indexOf(name, at + 1)) {
    const isInWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_./*:-]/u.test(character)
    const [before, after] = [reason[at - 1], reason.slice(at + name.length, at + name.length + 2)]
    if (!isInWord(before) && !isInWord(after.replace(/^[.:](?:\s|$)/, ' ')[0])) return true
  }
  return false
}

function cut(text: string): string {
  return text.length > reasonLengthAtMost ? `${text.slice(0, reasonLengthAtMost)}…`.toWellFormed() : text
}

/** Returns where an item is and what it is, for another outcome of it. */
export function placeOf({ record, line, place, of }: Item) {
  return { record, line, ...(place && { place }), ...(of && { of }) }
}

/** Leaves out all people whose values cannot be stored: tried one by one, each would cost the batch once more. */
export function withoutUnfit(
  items: readonly Item[],
  people: readonly Item[],
  unfit: Awaited<ReturnType<Storage['imports']['unfit']>>,
): readonly Item[] {
  const reasons = new Map([...unfit].map(([at, { message }]) => [people[at], message]))
  return items.map((item) => {
    const fault = reasons.get(item)
    return fault === undefined ? item : { ...placeOf(item), fault }
  })
}
