/**
 * Reads records of other systems by tables: a row for each member of the source that has a place here. What no row reads is
 * reported. A claim whose value is not accepted is left out and reported: it must not keep a person from signing in.
 */
import { fieldEntries } from '../person-fields.ts'
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import type { AttributeRules } from '../users/attribute-changes.ts'
import { claimFault, proofs } from '../users/user-claims.ts'
import { attributesFrom, type SourceField } from './custom-fields.ts'
import { boundedLost, boundedNames } from './not-kept.ts'
import { findingsOf, isGiven, type Lost, type Note, present, type SourceRecord } from './source.ts'

/** What a row gives beyond one value. */
export type RowResult = {
  /** By our names. */
  readonly members?: JsonObject
  /** Names of what is not kept. */
  readonly notKept?: readonly string[]
  /** What is not kept, and why. It is counted. */
  readonly lost?: readonly Lost[]
  /** What is to be said of this very person. */
  readonly notes?: readonly Note[]
  /** What declared attributes of these names take. */
  readonly fields?: readonly SourceField[]
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
  /** Members whose own members, where no row reads them, are what declared attributes of their names take. */
  readonly nested?: readonly string[]
  /** Which of these people change themselves. */
  readonly setByPeople?: readonly string[]
  /** Whether attributes take members of the record itself, too: columns that a company added. */
  readonly hasOwnColumns?: boolean
  /** What the system notes for itself. It is not reported. */
  readonly ownNotes: readonly string[]
}

/** Returns what the rows give; after a fault, no more of them. */
export function readRows<To extends string>(rows: readonly Row<To>[], record: JsonObject) {
  const members: Record<string, unknown> = {}
  const lost: Lost[] = []
  const notes: Note[] = []
  const fields: SourceField[] = []
  for (const [from, to, read] of rows) {
    const values = typeof from === 'string' ? [valueAt(record, from)] : from.map((one) => valueAt(record, one))
    if (typeof to === 'string') members[to] ??= read === undefined ? values[0] : read(...values)
    else {
      const result = to(...values)
      if (result.fault !== undefined) return { members, lost, notes, fields, fault: result.fault }
      Object.assign(members, result.members)
      for (const member of result.notKept ?? []) lost.push({ member, reason: noPlace })
      lost.push(...(result.lost ?? []))
      notes.push(...(result.notes ?? []))
      for (const field of result.fields ?? []) fields.push(field)
    }
  }
  return { members, lost, notes, fields, fault: undefined }
}

/** Why a member is not kept that nothing reads. */
export const noPlace = 'Latchkey has no place for it.'

function valueAt(record: JsonObject, place: string): unknown {
  const dot = place.indexOf('.')
  if (dot === -1) return record[place]
  const outer = record[place.slice(0, dot)]
  return isObject(outer) ? outer[place.slice(dot + 1)] : undefined
}

const noAttributes: AttributeRules = { declared: new Map(), matches: () => false }

/** Returns a function that makes people of records. */
export function personReader(table: SourceTable<string>, attributes: AttributeRules = noAttributes) {
  const { rows, nested = [], setByPeople = [], hasOwnColumns = false, ownNotes } = table
  const places = rows.flatMap(([from]) => from)
  const inside = (outer: string) => places.filter((one) => one.startsWith(outer)).map((one) => one.slice(outer.length))
  const known = new Set([...places, ...nested, ...ownNotes])
  const within = nested.map((outer) => [outer, new Set(inside(`${outer}.`)), setByPeople.includes(outer)] as const)
  const place = attributesFrom(attributes)
  return (line: number, record: JsonObject): SourceRecord => {
    const { members, lost, notes, fields, fault } = readRows(rows, record)
    const name = String(members.username ?? members.email ?? members.id ?? record.username ?? record.email ?? '')
    const of = { kind: 'person', source: name } as const
    if (fault !== undefined) return { line, fault, ...(name !== '' && { of }) }
    const refused = refuseClaims(members, (claim) => placeOfMember(rows, claim))
    const unread = unreadIn(record, known)
    const { values, lost: lostFields } = place([
      ...(hasOwnColumns ? unread.map(([member, value]) => ({ member, name: member, value })) : []),
      ...within.flatMap(([outer, read, isSetByPeople]) =>
        unreadIn(record[outer], read).map(([name, value]) => ({
          member: `${outer}.${name}`,
          name,
          value,
          isSetByPeople,
        })),
      ),
      ...fields,
    ])
    const others = hasOwnColumns ? [] : unread.filter(([, value]) => isGiven(value))
    const person = { ...present(members), ...(Object.keys(values).length > 0 && { attributes: values }) }
    const all = [...refused, ...others.map(([member]) => ({ member, reason: noPlace })), ...lostFields, ...lost]
    const counted = { notKept: boundedNames(all.map(({ member }) => member)), lost: boundedLost(all) }
    return { line, person, ...counted, findings: findingsOf('person', name, notes) }
  }
}

/** Returns where the source has what is this member here. */
function placeOfMember(rows: readonly Row<string>[], member: string): string {
  const from = rows.find(([, to]) => to === member)?.[0]
  return (typeof from === 'string' ? from : from?.[0]) ?? member
}

/** Removes claims that are not accepted, and returns those with a value. `nameOf`: the source's name of a claim. */
function refuseClaims(members: Record<string, unknown>, nameOf: (claim: string) => string): Lost[] {
  const refused: Lost[] = []
  for (const [claim] of fieldEntries) {
    const value = members[claim]
    const fault = claimFault(claim, value)
    const isAccepted = isGiven(value) && fault === undefined
    if (isAccepted) continue
    if (isGiven(value)) refused.push({ member: nameOf(claim), reason: `${claim} ${fault}.` })
    delete members[claim]
  }
  for (const { flag, proves } of proofs) if (!(proves in members)) delete members[flag]
  return refused
}

/** Returns the members that nothing reads. */
function unreadIn(members: unknown, known: ReadonlySet<string>): (readonly [string, unknown])[] {
  if (typeof members !== 'object' || members === null) return []
  return Object.entries(members).filter(([name]) => !known.has(name))
}
