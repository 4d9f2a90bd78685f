/** The fields that an operator declared as their pages show them to people, and those that they have yet to fill in. */
import { askedOfPerson } from './attribute-changes.ts'
import { type Attribute, type AttributeType, translated } from './attributes.ts'
import type { AttributeValues } from './user-attributes.ts'

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

/** Returns the fields that a person sees, in the order of their declaration. `language`: a tag such as `de`. */
export function seenFields(declared: Declared, language: string): ShownField[] {
  return [...declared.values()].filter(isSeen).map((attribute) => shownField(attribute, language))
}

/** Returns the fields that the person has to fill in and has not, in the order of their declaration. */
export function missingFields(values: AttributeValues, declared: Declared, language: string): ShownField[] {
  return askedOfPerson(declared)
    .filter(({ name }) => !Object.hasOwn(values, name))
    .map((attribute) => shownField(attribute, language))
}

/** Whether the person has to fill in a field. */
export function isIncomplete(values: AttributeValues, declared: Declared): boolean {
  return askedOfPerson(declared).some(({ name }) => !Object.hasOwn(values, name))
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
