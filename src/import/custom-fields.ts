/**
 * Makes values of declared attributes of the fields that another system has besides those of everybody. A field that has no
 * attribute, or whose value does not fit it, is lost with its reason: it must not keep a person from signing in.
 */
import type { AttributeRules } from '../users/attribute-changes.ts'
import { readValue, sizeProblems, valueFault } from '../users/attribute-values.ts'
import { type Attribute, attributeNameProblems } from '../users/attributes.ts'
import { isGiven, jsonOf, type Lost } from './source.ts'

export type SourceField = {
  /** As reports name it: `attributes.department`. */
  readonly member: string
  /** Its name in the source: `department`. */
  readonly name: string
  readonly value: unknown
  /** Whether people set it in the source themselves. Such a value is no proof of what operators decide. */
  readonly isSetByPeople?: boolean
}

type Fitting = { readonly attribute: Attribute; readonly value: unknown }

/** Returns a function that gives the values of a person by the names of attributes, and what is lost. */
export function attributesFrom({ declared, matches }: AttributeRules) {
  function fittingOf({ name, value, isSetByPeople = false }: SourceField): Fitting | Omit<Lost, 'member'> | undefined {
    const names = declared.has(name) ? [name] : formsOf(name).filter((form) => declared.has(form))
    const attribute = declared.get(names[0] ?? '')
    if (attribute === undefined) return isGiven(value) ? undeclared(name, value, isSetByPeople) : undefined
    if (names.length > 1) return { reason: `${names.join(' and ')} both fit.` }
    const read = readAs(attribute, value)
    if (read === undefined) return undefined
    if (isSetByPeople && attribute.editedBy !== 'person') return setByPeople(attribute)
    const isOneOfMany = !attribute.many && Array.isArray(read)
    const fault = isOneOfMany ? 'takes one value, and there are several' : valueFault(attribute, read, matches)
    return fault === undefined ? { attribute, value: read } : { reason: `${attribute.name} ${fault}.` }
  }

  return (fields: readonly SourceField[]) => {
    const judged = fields.map((field) => [field, fittingOf(field)] as const)
    const chosen = new Map<string, SourceField>()
    for (const [field, found] of judged) {
      if (found === undefined || 'reason' in found) continue
      const { name } = found.attribute
      const other = chosen.get(name)
      if (other === undefined || rank(field, name) > rank(other, name)) chosen.set(name, field)
    }
    const lost: Lost[] = []
    let values: Readonly<Record<string, unknown>> = {}
    for (const [field, found] of judged) {
      if (found === undefined) continue
      const { member } = field
      if ('reason' in found) {
        lost.push({ member, ...found })
        continue
      }
      const { name } = found.attribute
      if (chosen.get(name) !== field) {
        lost.push({ member, reason: `${name} has the value of another field.` })
        continue
      }
      const next = { ...values, [name]: found.value }
      const [tooLarge] = sizeProblems(next)
      if (tooLarge === undefined) values = next
      else lost.push({ member, reason: tooLarge.message })
    }
    return { values, lost }
  }
}

/** Of fields for the same attribute, what operators set comes first, then the very name. */
function rank({ name, isSetByPeople = false }: SourceField, attribute: string): number {
  return (isSetByPeople ? 0 : 2) + (name === attribute ? 1 : 0)
}

/** Returns the names of attributes that only differ by case, hyphens or the humps of `camelCase`; `snake_case` first. */
function formsOf(name: string): string[] {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
  return [...new Set([words, name].map((text) => text.replaceAll('-', '_').toLowerCase()))]
}

function undeclared(name: string, value: unknown, isSetByPeople: boolean): Omit<Lost, 'member'> {
  const [form = ''] = formsOf(name)
  const [unfit] = attributeNameProblems(form)
  if (unfit !== undefined) return { reason: unfit.message }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.some((one) => typeof one === 'object')) return { reason: 'No attribute has members of its own.' }
  const command = `latchkey attribute add ${form}${isSetByPeople ? ' --edited-by person' : ''}`
  return { reason: `${form} is not declared.`, command, ...(list.length > 1 && { isMany: true }) }
}

function setByPeople({ name, seenBy }: Attribute): Omit<Lost, 'member'> {
  const reason = `People set it themselves there, and ${name} is not edited by people.`
  return seenBy === 'person' ? { reason, command: `latchkey attribute set ${name} edited_by=person` } : { reason }
}

/** Returns the value by the type of the attribute; undefined: there is none. What is none of the type stays, for `valueFault`. */
function readAs({ type, many }: Attribute, value: unknown): unknown {
  const list = Array.isArray(value) ? value : many && typeof value === 'string' ? listIn(value) : [value]
  const given = list.filter((one) => one !== undefined && one !== null && one !== '')
  const values = given.map((one) => singleOf(type, one))
  if (values.length === 0) return undefined
  if (many) return [...new Set(values)]
  return values.length === 1 ? values[0] : values
}

/** A column has a list as JSON. */
function listIn(text: string): readonly unknown[] {
  const value = text.startsWith('[') ? jsonOf(text) : undefined
  return Array.isArray(value) ? value : [text]
}

/** Databases write a boolean in several ways, and a date with a time of midnight. */
function singleOf(type: Attribute['type'], value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return value
  const text = String(value)
  if (type === 'boolean') return /^(?:true|t|1)$/i.test(text) || (/^(?:false|f|0)$/i.test(text) ? false : text)
  const date = type === 'date' ? /^(\S{10})[T ]00:00:00(?:\.0+)?(?: ?(?:Z|[+-]00(?::?00)?))?$/.exec(text) : null
  return readValue({ type, many: false }, date?.[1] ?? text)
}
