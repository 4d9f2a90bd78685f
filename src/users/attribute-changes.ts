/** Changes the values that a person has of declared attributes. */
import { type Judged, judge, problem, type Rejection } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { type Matches, sizeProblems, valueFault } from './attribute-values.ts'
import type { Attribute } from './attributes.ts'
import type { User } from './user.ts'
import type { AttributeValue, AttributeValues } from './user-attributes.ts'

/** What values are judged by. */
export type AttributeRules = { readonly declared: ReadonlyMap<string, Attribute>; readonly matches: Matches }

/** Who changes values: an operator, the person, or a file of another system. */
export type AttributeEditor = 'operator' | 'person' | 'source'

/** By name. Null, an empty text and an empty list remove a value. */
export type AttributeChanges = Readonly<Record<string, unknown>>

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A list has each of its values once. */
const withoutRepeats = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)] : value)

/**
 * Sets values. One that stays as it is is not judged again: the attribute may have become stricter since. Returns the user itself if
 * nothing changes.
 */
export function changeAttributes(
  user: User,
  changes: AttributeChanges,
  by: AttributeEditor,
  rules: AttributeRules,
  nowMs: number,
): Judged<User> {
  const isOther = ([name, value]: readonly [string, unknown]) =>
    isNothing(value) ? isThere(user, name) : JSON.stringify(value) !== JSON.stringify(user.attributes[name])
  const given = Object.entries(changes).map(([name, value]) => [name, withoutRepeats(value)] as const)
  const changed = given.filter(isOther)
  const gone = new Set(changed.flatMap(([name, value]) => (isNothing(value) ? [name] : [])))
  const kept = Object.entries(user.attributes).filter(([name]) => !gone.has(name))
  const set = changed.filter(([name]) => !gone.has(name)) as [string, AttributeValue][]
  const attributes: AttributeValues = Object.fromEntries([...kept, ...set])
  // Patterns are matched only with as much text as a person may have: it holds the event loop.
  const tooLarge = set.length === 0 ? [] : sizeProblems(attributes)
  if (tooLarge.length > 0) return judge(user, tooLarge)
  const problems = given.flatMap(([name, value]) => {
    const fault = changeFault(rules, by, name, value, isOther([name, value]))
    return fault === undefined ? [] : [problem(`attributes.${name}`, name, fault)]
  })
  if (problems.length === 0 && changed.length === 0) return user
  return judge({ ...user, attributes, updatedAtMs: nowMs }, problems)
}

/** The same on what another rule made of the user, with the problems of both. */
export function changeAttributesToo(
  before: User,
  judged: Judged<User>,
  ...[changes, by, rules, nowMs]: [AttributeChanges, AttributeEditor, AttributeRules, number]
): Judged<User> {
  if (!isRefusal<User | Rejection>(judged)) return changeAttributes(judged, changes, by, rules, nowMs)
  const changed = changeAttributes(before, changes, by, rules, nowMs)
  return judge(before, [...judged.problems, ...(isRefusal<User | Rejection>(changed) ? changed.problems : [])])
}

const isThere = ({ attributes }: User, name: string): boolean => Object.hasOwn(attributes, name)

function changeFault(
  { declared, matches }: AttributeRules,
  by: AttributeEditor,
  name: string,
  value: unknown,
  isOther: boolean,
): string | undefined {
  const attribute = declared.get(name)
  // Whoever does not see an attribute is not told that it is there.
  if (attribute === undefined || (by === 'person' && attribute.seenBy === 'operator')) {
    const known = [...declared.values()].filter(({ seenBy }) => by !== 'person' || seenBy === 'person')
    return `is not declared. There are: ${known.map((one) => one.name).join(', ') || 'none'}`
  }
  if (!isOther) return undefined
  if (by === 'person' && attribute.editedBy !== 'person') return 'is not changed by people themselves'
  if (by === 'operator' && attribute.editedBy === 'source') return 'is changed by imports and provisioning alone'
  if (isNothing(value)) return by === 'person' && attribute.required ? 'is required' : undefined
  return valueFault(attribute, value, matches)
}

/** Returns what people are asked for: what is required, and they set themselves. */
export function askedOfPerson(declared: ReadonlyMap<string, Attribute>): Attribute[] {
  return [...declared.values()].filter(({ required, editedBy }) => required && editedBy === 'person')
}

/** Returns the values that the person is shown. */
export function seenByPerson(values: AttributeValues, declared: ReadonlyMap<string, Attribute>): AttributeValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => declared.get(name)?.seenBy === 'person'))
}
