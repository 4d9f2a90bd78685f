/** Declared attributes as JSON, the same in every interface. */
import { type Judged, type Problem, problem } from '../problem.ts'
import { asRefusal } from '../refusal.ts'
import {
  type Attribute,
  attributeTypes,
  type Choice,
  editors,
  registerAttribute,
  type Translations,
  viewers,
} from './attributes.ts'

type Kind = 'text' | 'integer' | 'flag' | 'choices' | readonly string[]

/** Members that are set, with what each is. Labels and helps have a member for each language, such as `label#de`. */
export const attributeMembers = {
  type: attributeTypes,
  many: 'flag',
  choices: 'choices',
  label: 'text',
  help: 'text',
  required: 'flag',
  edited_by: editors,
  seen_by: viewers,
  unique: 'flag',
  pattern: 'text',
  min: 'integer',
  max: 'integer',
  searchable: 'flag',
} as const satisfies Readonly<Record<string, Kind>>

export type AttributeMember = keyof typeof attributeMembers

export function newAttribute(name: string, nowMs: number): Attribute {
  return {
    ...{ name, type: 'text', many: false, choices: [], labels: {}, helps: {}, required: false },
    ...{ editedBy: 'operator', seenBy: 'person', unique: false, pattern: null, min: null, max: null },
    ...{ searchable: false, createdAtMs: nowMs, version: 1 },
  } as Attribute
}

export function attributeRecord(attribute: Attribute) {
  const { name, type, many, choices, labels, helps, required, unique, pattern, min, max, searchable } = attribute
  return {
    ...{ name, type, many },
    ...(type === 'choice' && { choices: choices.map(choiceRecord) }),
    ...translationMembers('label', labels),
    ...translationMembers('help', helps),
    ...{ required, edited_by: attribute.editedBy, seen_by: attribute.seenBy, unique, pattern, min, max, searchable },
    created_at: new Date(attribute.createdAtMs).toISOString(),
  }
}

const choiceRecord = ({ value, labels }: Choice) => ({ value, ...translationMembers('label', labels) })

function translationMembers(member: string, texts: Translations): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([tag, text]) => [tag === '' ? member : `${member}#${tag}`, text]),
  )
}

/** Returns the member without its language. */
const baseOf = (member: string): string => member.replace(/#.*/, '')

/**
 * Sets members of a declaration; null gives the default. `patternFault`: why a pattern is none, as the end of a sentence. Returns every
 * problem.
 */
export function changeAttribute(
  before: Attribute,
  members: Readonly<Record<string, unknown>>,
  patternFault: (pattern: string) => string | undefined,
): Judged<Attribute> {
  const problems: Problem[] = []
  const initial = newAttribute(before.name, before.createdAtMs)
  let next = before
  for (const [member, value] of Object.entries(members)) {
    const fault = memberFault(member, value)
    if (fault !== undefined) problems.push(problem(member, member, fault))
    else next = { ...next, ...setMember(next, initial, member, value) }
  }
  if (problems.length > 0) return asRefusal({ problems })
  // Choices go with the type that has them.
  const whole = next.type !== 'choice' && before.type === 'choice' && !('choices' in members)
  return registerAttribute(whole ? { ...next, choices: [] } : next, patternFault)
}

function memberFault(member: string, value: unknown): string | undefined {
  const base = baseOf(member)
  const isTranslated = member !== base
  if (!Object.hasOwn(attributeMembers, base) || (isTranslated && base !== 'label' && base !== 'help')) {
    return `is not a member of an attribute. These can be set: ${Object.keys(attributeMembers).join(', ')}`
  }
  if (value === null) return undefined
  const kind: Kind = attributeMembers[base as AttributeMember]
  if (typeof kind !== 'string') {
    return kind.includes(value as string) ? undefined : `must be one of ${kind.join(', ')}`
  }
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'integer':
      return Number.isInteger(value) ? undefined : 'must be a whole number'
    case 'choices':
      return choicesIn(value) === undefined ? 'must be a list of texts, or of objects with value and label' : undefined
  }
}

/** What was judged already. */
function setMember(attribute: Attribute, initial: Attribute, member: string, value: unknown): Partial<Attribute> {
  switch (baseOf(member)) {
    case 'label':
      return { labels: withTranslation(attribute.labels, member, value) }
    case 'help':
      return { helps: withTranslation(attribute.helps, member, value) }
    case 'choices':
      return { choices: value === null ? [] : (choicesIn(value) ?? []) }
    case 'edited_by':
      return { editedBy: (value ?? initial.editedBy) as Attribute['editedBy'] }
    case 'seen_by':
      return { seenBy: (value ?? initial.seenBy) as Attribute['seenBy'] }
    default:
      return { [member]: value ?? initial[member as 'type'] }
  }
}

function withTranslation(texts: Translations, member: string, value: unknown): Translations {
  const tag = member.includes('#') ? member.slice(member.indexOf('#') + 1).toLowerCase() : ''
  const others = Object.entries(texts).filter(([one]) => one !== tag)
  return Object.fromEntries(value === null ? others : [...others, [tag, String(value)]])
}

function choicesIn(value: unknown): Choice[] | undefined {
  if (!Array.isArray(value)) return undefined
  const choices = value.map((one): Choice | undefined => {
    if (typeof one === 'string') return { value: one, labels: {} }
    if (typeof one !== 'object' || one === null || typeof one.value !== 'string') return undefined
    const { value: name, ...labels } = one as Record<string, string>
    const areLabels = Object.entries(labels).every(
      ([member, text]) => baseOf(member) === 'label' && typeof text === 'string',
    )
    if (!areLabels) return undefined
    let texts: Translations = {}
    for (const [member, text] of Object.entries(labels)) texts = withTranslation(texts, member, text)
    return { value: String(name), labels: texts }
  })
  return choices.every((one) => one !== undefined) ? choices : undefined
}

/** Whether stored values may not fit any more. */
export function changesKind(before: Attribute, after: Attribute): boolean {
  return before.type !== after.type || before.many !== after.many
}
