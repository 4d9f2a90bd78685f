/**
 * Reads records of other systems by tables: a row for each member of the source that has a place here. What no row reads is
 * reported. A claim whose value is not accepted is left out and reported: it must not keep a person from signing in.
 */
import { fieldEntries } from '../person-fields.ts'
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import { claimFault, proofs } from '../users/user-claims.ts'
import { present, type SourceRecord } from './source.ts'

/** What a row gives beyond one value. */
export type RowResult = {
  /** By our names. */
  readonly members?: JsonObject
  /** Names of what is not kept. */
  readonly notKept?: readonly string[]
  /** Why the record is left out, as a whole sentence. */
  readonly fault?: string
}

/**
 * A member of the source, or several that are read together, and what becomes of them: a member here, with the value as it is
 * or as `read` returns it, or what a function returns. `attributes.locale`: a member of a member. Of rows for the same member
 * here, the first with a value counts.
 */
export type Row<To extends string> =
  | readonly [from: string | readonly string[], to: To, read?: (...values: unknown[]) => unknown]
  | readonly [from: string | readonly string[], read: (...values: unknown[]) => RowResult]

export type SourceTable<To extends string> = {
  readonly rows: readonly Row<To>[]
  /** Members whose own members are reported one by one. */
  readonly nested?: readonly string[]
  /** What the system notes for itself. It is not reported. */
  readonly ownNotes: readonly string[]
}

/** Returns what the rows give; after a fault, no more of them. */
export function readRows<To extends string>(rows: readonly Row<To>[], record: JsonObject) {
  const members: Record<string, unknown> = {}
  const notKept: string[] = []
  for (const [from, to, read] of rows) {
    const values = typeof from === 'string' ? [valueAt(record, from)] : from.map((one) => valueAt(record, one))
    if (typeof to === 'string') members[to] ??= read === undefined ? values[0] : read(...values)
    else {
      const result = to(...values)
      if (result.fault !== undefined) return { members, notKept, fault: result.fault }
      Object.assign(members, result.members)
      notKept.push(...(result.notKept ?? []))
    }
  }
  return { members, notKept, fault: undefined }
}

function valueAt(record: JsonObject, place: string): unknown {
  const dot = place.indexOf('.')
  if (dot === -1) return record[place]
  const outer = record[place.slice(0, dot)]
  return isObject(outer) ? outer[place.slice(dot + 1)] : undefined
}

/** Returns a function that makes people of records. */
export function personReader(table: SourceTable<string>): (line: number, record: JsonObject) => SourceRecord {
  const { rows, nested = [], ownNotes } = table
  const places = rows.flatMap(([from]) => from)
  const inside = (outer: string) => places.filter((one) => one.startsWith(outer)).map((one) => one.slice(outer.length))
  const known = new Set([...places, ...nested, ...ownNotes])
  const within = nested.map((name) => [name, new Set(inside(`${name}.`))] as const)
  return (line, record) => {
    const { members, notKept, fault } = readRows(rows, record)
    if (fault !== undefined) return { line, fault }
    const refused = refuseClaims(members)
    const unread = [
      ...unreadIn(record, known),
      ...within.flatMap(([name, read]) => unreadIn(record[name], read).map((one) => `${name}.${one}`)),
    ]
    return { line, person: present(members), notKept: [...refused, ...unread, ...notKept] }
  }
}

/** Removes claims that are not accepted, and returns the names of those with a value. */
function refuseClaims(members: Record<string, unknown>): string[] {
  const refused: string[] = []
  for (const [claim] of fieldEntries) {
    const value = members[claim]
    const isAccepted = isGiven(value) && claimFault(claim, value) === undefined
    if (isAccepted) continue
    if (isGiven(value)) refused.push(claim)
    delete members[claim]
  }
  for (const { flag, proves } of proofs) if (!(proves in members)) delete members[flag]
  return refused
}

/** Returns the names of members with a value that nothing reads. */
function unreadIn(members: unknown, known: ReadonlySet<string>): string[] {
  if (typeof members !== 'object' || members === null) return []
  return Object.entries(members).flatMap(([name, value]) => (known.has(name) || !isGiven(value) ? [] : [name]))
}

/** Whether there is anything to keep. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
