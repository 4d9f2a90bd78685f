/** What people see of the fields that an operator declared, and which of them they fill in themselves. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { type AttributeValues, type Matches, valueFault, valuesProblems } from './attribute-values.ts'
import { type Attribute, type AttributeType, translated } from './attributes.ts'
import type { User } from './user.ts'

type Declared = ReadonlyMap<string, Attribute>

/** A field as pages show it, in one language. */
export type ShownField = {
  readonly name: string
  readonly type: AttributeType
  readonly many: boolean
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly label: string
  readonly help: string | null
  readonly required: boolean
  /** Whether the person fills it in. */
  readonly editable: boolean
}

const isSeen = ({ seenBy }: Attribute): boolean => seenBy === 'person'
const isAskedFor = ({ required, editedBy }: Attribute): boolean => required && editedBy === 'person'

/** Returns the fields that a person sees, in the order of their declaration. `language`: a tag such as `de`. */
export function seenFields(declared: Declared, language: string): ShownField[] {
  return [...declared.values()].filter(isSeen).map((attribute) => shownField(attribute, language))
}

/** Returns the fields that the person has to fill in and has not, in the order of their declaration. */
export function missingFields(values: AttributeValues, declared: Declared, language: string): ShownField[] {
  return [...declared.values()]
    .filter((attribute) => isAskedFor(attribute) && !Object.hasOwn(values, attribute.name))
    .map((attribute) => shownField(attribute, language))
}

/** Whether the person has to fill in a field. */
export function isIncomplete(values: AttributeValues, declared: Declared): boolean {
  return [...declared.values()].some((attribute) => isAskedFor(attribute) && !Object.hasOwn(values, attribute.name))
}

function shownField(attribute: Attribute, language: string): ShownField {
  const { name, type, many, choices, labels, helps, required, editedBy } = attribute
  return {
    name,
    type,
    many,
    choices: choices.map((choice) => ({
      value: choice.value,
      label: translated(choice.labels, language, choice.value),
    })),
    label: translated(labels, language, name),
    help: translated(helps, language, '') || null,
    required,
    editable: editedBy === 'person',
  }
}

/** Returns the values that a person sees. */
export function seenValues(values: AttributeValues, declared: Declared): AttributeValues {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const attribute = declared.get(name)
      return attribute !== undefined && isSeen(attribute)
    }),
  )
}

/**
 * Sets values by the names of their fields; null and an empty text remove one. Refuses a field that is not there for the person, that
 * others fill in, that is required and would be empty, and a value that does not fit. Returns the user itself if nothing changes.
 */
export function changeOwnAttributes(
  user: User,
  changes: Readonly<Record<string, unknown>>,
  declared: Declared,
  matches: Matches,
  nowMs: number,
): Judged<User> {
  const found: Problem[] = []
  const known = Object.entries(user.attributes).filter(([name]) => declared.has(name))
  const next = new Map<string, unknown>(known)
  for (const [name, value] of Object.entries(changes)) {
    const attribute = declared.get(name)
    const fault = faultOf(attribute, value, matches)
    if (fault !== undefined) found.push(problem(`attributes.${name}`, name, fault))
    if (isEmpty(value)) next.delete(name)
    else next.set(name, value)
  }
  const values = Object.fromEntries(next) as AttributeValues
  if (found.length > 0) return judge(user, found)
  if (JSON.stringify(values) === JSON.stringify(user.attributes)) return judge(user, [])
  // What others filled in may be older than its declaration.
  const ofAll = valuesProblems(values, declared, matches).filter(({ member }) => member === 'attributes')
  return judge({ ...user, attributes: values, updatedAtMs: nowMs }, ofAll)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function faultOf(attribute: Attribute | undefined, value: unknown, matches: Matches): string | undefined {
  if (attribute === undefined || !isSeen(attribute)) return 'is no field here'
  if (attribute.editedBy !== 'person') return 'is not for you to change'
  if (isEmpty(value)) return attribute.required ? 'must not be empty' : undefined
  return valueFault(attribute, value, matches)
}
