/** Values of declared attributes in requests about people. */
import { loadPatterns } from '../patterns.ts'
import type { Judged, Problem } from '../problem.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { ValueRefused } from '../storage/port/attributes.ts'
import {
  type AttributeChanges,
  type AttributeRules,
  changeAttributes,
  changeAttributesToo,
} from '../users/attribute-changes.ts'
import { keysOf, readValue, valueFault } from '../users/attribute-values.ts'
import type { User } from '../users/user.ts'
import { type AttributeValue, noAttributes } from '../users/user-attributes.ts'
import { problemsOf } from './changing.ts'
import type { Call, Faults, Refused } from './operation.ts'

/** In a body: by name; null removes a value, and all of them instead of the object. */
export type SentAttributes = { readonly attributes?: AttributeChanges | null | undefined }

export async function attributeRules({ service }: Pick<Call, 'service'>): Promise<AttributeRules> {
  const [{ known }, { matches }] = await Promise.all([service.storage.attributes.all(), loadPatterns()])
  return { declared: known, matches }
}

/** Applies what was sent to what a rule made of the person, with the problems of both. */
export function withAttributes(
  before: User,
  judged: Judged<User>,
  { attributes }: SentAttributes,
  rules: AttributeRules,
  nowMs: number,
): Judged<User> {
  if (attributes === undefined) return judged
  const removed = Object.fromEntries(Object.keys(before.attributes).map((name) => [name, null]))
  return changeAttributesToo(before, judged, attributes ?? removed, 'operator', rules, nowMs)
}

/** Judges the values of a person who is to be added. */
export async function newAttributeProblems(
  call: Pick<Call, 'service'>,
  attributes: SentAttributes['attributes'],
): Promise<readonly Problem[]> {
  if (attributes === undefined || attributes === null) return []
  const nobody = { attributes: noAttributes } as User
  return problemsOf(changeAttributes(nobody, attributes, 'operator', await attributeRules(call), 0))
}

/** Returns the members that a body sets, for the audit trail: fields by their names, never values. */
export function namesIn({ attributes, ...members }: object & SentAttributes): { readonly members: readonly string[] } {
  return { members: [...Object.keys(members), ...Object.keys(attributes ?? {})] }
}

/** Runs a change. Returns the refusal of a value that may not be. */
export async function refusingValues<T>(change: () => Promise<T>): Promise<T | Refused> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof ValueRefused)) throw error
    const codes = { taken: 'already_exists', undeclared: 'member_unknown', unfit: 'values_do_not_fit' }
    const code = codes[error.reason]
    const errors = [{ path: `/attributes/${error.attribute}`, message: error.message, code }]
    return { refusal: refuse('admin_record_exists', error.attribute), members: { errors } }
  }
}

export type AttributeFilter = { readonly name: string; readonly value: string | number | boolean }

const prefix = 'attributes.'

/** Parameters of a query, such as `attributes.department`. */
export const attributeParameters = '^attributes\\.[a-z][a-z0-9_]{0,62}$'

/** Reads the filters of a query. Faults: an attribute is not declared or not searchable, or the text is no value of its type. */
export async function attributeFilters(call: Call<object>): Promise<readonly AttributeFilter[] | Faults> {
  const given = Object.entries(call.query).filter(([member]) => member.startsWith(prefix))
  if (given.length === 0) return []
  const { declared, matches } = await attributeRules(call)
  const filters: AttributeFilter[] = []
  const faults: Faults['faults'][number][] = []
  for (const [member, text] of given) {
    const name = member.slice(prefix.length)
    const attribute = declared.get(name)
    const value = attribute && readValue({ ...attribute, many: false }, String(text))
    const single = attribute && { ...attribute, many: false, pattern: null, min: null, max: null }
    const fault = single?.searchable !== true ? 'is not searchable' : valueFault(single, value, matches)
    if (fault === undefined) filters.push({ name, value: value as AttributeFilter['value'] })
    else faults.push({ member, code: 'member_invalid', message: `${name} ${fault}.` })
  }
  return faults.length > 0 ? { faults } : filters
}

/** Whether the person has each of the values. */
export function hasValues({ attributes }: User, filters: readonly AttributeFilter[]): boolean {
  const keys = (value: AttributeValue | undefined) => (value === undefined ? [] : keysOf(value))
  return filters.every(({ name, value }) => keys(attributes[name]).includes(keysOf(value)[0] ?? ''))
}
