/** The fields that an operator declared and that a registration asks for. */
import { fieldIgnoringCase } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { loadPatterns } from '../patterns.ts'
import { acceptedLanguages } from '../protocol/language-tags.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Service } from '../service.ts'
import { ValueRefused } from '../storage/port/attributes.ts'
import { askedOfPerson } from '../users/attribute-changes.ts'
import { readValue, sizeProblems, valueFault } from '../users/attribute-values.ts'
import type { Attribute } from '../users/attributes.ts'
import { missingFields, type ShownField } from '../users/own-attributes.ts'
import type { User } from '../users/user.ts'
import { type AttributeValue, type AttributeValues, noAttributes } from '../users/user-attributes.ts'

/** The longest text of a field that is judged; anything longer is invalid. */
const lengthAtMost = 16_384

/** Returns the fields as the page shows them, in the language of the visitor. */
export async function askedFields({ catalogue, pages }: Service, request: Request): Promise<ShownField[]> {
  const language = acceptedLanguages(pages.preferredLanguage(request))[0] ?? ''
  return missingFields(noAttributes, (await catalogue.now()).attributes, language)
}

export type AskedFields = {
  /** As typed, by name. */
  readonly typed: Readonly<Record<string, string>>
  readonly values: AttributeValues
  /** The fields whose text is missing or no value of theirs. */
  readonly faulty: readonly string[]
}

/** Reads what was typed into the fields. A list has one value in each line. */
export async function readAskedFields({ catalogue }: Service, form: Parameters): Promise<AskedFields> {
  const asked = askedOfPerson((await catalogue.now()).attributes)
  if (asked.length === 0) return { typed: {}, values: noAttributes, faulty: [] }
  const { matches } = await loadPatterns()
  const read = asked.map((attribute) => {
    const text = (fieldIgnoringCase(form, attribute.name) ?? '').trim().slice(0, lengthAtMost)
    return { attribute, text, value: typedValue(attribute, text) }
  })
  const typed = Object.fromEntries(read.map(({ attribute, text }) => [attribute.name, text]))
  // Patterns are matched only with as much text as a person may have: it holds the event loop.
  if (sizeProblems(Object.fromEntries(read.map(({ attribute, value }) => [attribute.name, value]))).length > 0) {
    return { typed, values: noAttributes, faulty: asked.map(({ name }) => name) }
  }
  const values: Record<string, AttributeValue> = {}
  const faulty: string[] = []
  for (const { attribute, value } of read) {
    if (value === undefined || valueFault(attribute, value, matches) !== undefined) faulty.push(attribute.name)
    else values[attribute.name] = value as AttributeValue
  }
  return { typed, values, faulty }
}

/** The longest texts that come back in the address of the page, in characters. Longer ones have to be typed again. */
const addressAtMost = 2048

/** Returns what the page is given to show what was typed; nothing where no field is asked for. */
export function typedInAddress({ typed }: AskedFields): { readonly details?: string } {
  const details = JSON.stringify(typed)
  return Object.keys(typed).length === 0 || details.length > addressAtMost ? {} : { details }
}

function typedValue(attribute: Attribute, text: string): unknown {
  if (!attribute.many) return readValue(attribute, text)
  const lines = text.split('\n').map((line) => readValue({ ...attribute, many: false }, line.trim()))
  const given = [...new Set(lines.filter((value) => value !== undefined))]
  return given.length === 0 ? undefined : given
}

/**
 * Creates a person without the values that are refused: another person took one meanwhile, or its field was deleted. A required
 * one is asked for again before the first code.
 */
export async function withoutRefusedValues<Outcome>(
  user: User,
  create: (user: User) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await create(user)
  } catch (error) {
    if (!(error instanceof ValueRefused) || user.attributes[error.attribute] === undefined) throw error
    const { [error.attribute]: _, ...attributes } = user.attributes
    return withoutRefusedValues({ ...user, attributes }, create)
  }
}
