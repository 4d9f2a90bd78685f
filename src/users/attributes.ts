/** Fields of a person that an operator declares: which there can be, and how they are read and shown. */
import { fieldEntries, memberEntries } from '../person-fields.ts'
import { type Judged, judge, lineFault, type Problem, problem } from '../problem.ts'

export const attributeTypes = ['text', 'integer', 'boolean', 'date', 'choice'] as const
export type AttributeType = (typeof attributeTypes)[number]
export const editors = ['operator', 'person', 'source'] as const
export type Editor = (typeof editors)[number]
export const viewers = ['operator', 'person'] as const
export type Viewer = (typeof viewers)[number]

/** A text by language tag in lower case; that for every other language by the empty one. */
export type Translations = Readonly<Record<string, string>>

export type Choice = { readonly value: string; readonly labels: Translations }

/** Times are epoch milliseconds. */
export type Attribute = {
  readonly name: string
  readonly type: AttributeType
  /** A list of values, in order, without duplicates. */
  readonly many: boolean
  /** Of the type `choice`; empty: of another one. */
  readonly choices: readonly Choice[]
  readonly labels: Translations
  readonly helps: Translations
  readonly required: boolean
  readonly editedBy: Editor
  readonly seenBy: Viewer
  /** Whether no two people have the same value. */
  readonly unique: boolean
  /** RE2 syntax, for the whole value; null: none. */
  readonly pattern: string | null
  /** Length of a text, value of an integer; null: the default. */
  readonly min: number | null
  readonly max: number | null
  readonly searchable: boolean
  readonly createdAtMs: number
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

export const attributesAtMost = 64
const choicesAtMost = 200
const choiceLengthAtMost = 200
const labelLengthAtMost = 200
const helpLengthAtMost = 1000
const patternLengthAtMost = 200
export const textLengthByDefault = 256
const textLengthAtMost = 4096
export const integerAtMost = 2 ** 53

/** What the names of other things in the same place are: members of a record, claims of OpenID Connect Core §5.1. */
const takenNames: ReadonlySet<string> = new Set([
  ...fieldEntries.map(([name]) => name),
  ...memberEntries.map(([name]) => name),
  ...['sub', 'updated_at', 'attributes', 'effective_roles', 'groups', 'version', 'password', 'password_hash', 'role'],
  // A field of the form of a registration, in any case.
  'returnurl',
  ...['totp_secret', 'recovery_codes', 'external_logins', 'deletion_due_at', 'unclaimed', 'last_sign_in_at'],
  // RFC 7519 §4.1 and the other registered claims that tokens of this service have.
  ...'iss aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash sid scope client_id cnf act may_act'.split(
    ' ',
  ),
])

/** Judges a declaration. `patternFault`: why a pattern is none, as the end of a sentence. */
export function registerAttribute(
  attribute: Attribute,
  patternFault: (pattern: string) => string | undefined,
): Judged<Attribute> {
  return judge(attribute, [
    ...attributeNameProblems(attribute.name),
    ...kindProblems(attribute),
    ...choiceProblems(attribute),
    ...translationProblems('label', attribute.labels, labelLengthAtMost),
    ...translationProblems('help', attribute.helps, helpLengthAtMost),
    ...patternProblems(attribute, patternFault),
    ...boundProblems(attribute),
  ])
}

export function attributeNameProblems(name: string): Problem[] {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) {
    const form = 'has 1 to 63 of a to z, 0 to 9 and _, and begins with a letter'
    return [problem('name', 'The name of an attribute', form)]
  }
  return takenNames.has(name)
    ? [problem('name', `The name ${name}`, 'is that of a claim or a member of every person')]
    : []
}

function kindProblems({ type, many, unique, editedBy, seenBy }: Attribute): Problem[] {
  const found: Problem[] = []
  if (unique && (many || (type !== 'text' && type !== 'integer'))) {
    found.push(problem('unique', 'Only one text or integer for each person', 'can be unique'))
  }
  if (editedBy === 'person' && seenBy === 'operator') {
    found.push(problem('edited_by', 'What people edit', 'must be seen by them (seen_by: person)'))
  }
  if (type === 'boolean' && many) found.push(problem('many', 'A boolean', 'cannot have many values'))
  return found
}

function choiceProblems({ type, choices }: Attribute): Problem[] {
  if (type !== 'choice') {
    return choices.length === 0 ? [] : [problem('choices', 'Choices', 'belong to the type choice')]
  }
  if (choices.length === 0 || choices.length > choicesAtMost) {
    return [problem('choices', 'The type choice', `has 1 to ${choicesAtMost} choices`)]
  }
  const values = choices.map(({ value }) => value)
  const twice = values.find((value, at) => values.indexOf(value) !== at)
  return [
    ...(twice === undefined ? [] : [problem('choices', `The choice ${twice}`, 'is there twice')]),
    ...choices.flatMap(({ value, labels }) => {
      const fault = lineFault(value, choiceLengthAtMost)
      return fault === undefined
        ? translationProblems('choices', labels, labelLengthAtMost)
        : [problem('choices', 'A choice', fault)]
    }),
  ]
}

function translationProblems(member: string, texts: Translations, lengthAtMost: number): Problem[] {
  return Object.entries(texts).flatMap(([tag, text]) => {
    const name = tag === '' ? member : `${member}#${tag}`
    if (tag !== '' && !isLanguageTag(tag)) return [problem(member, name, 'must end with a language tag such as de')]
    const fault = lineFault(text, lengthAtMost)
    return fault === undefined ? [] : [problem(member, name, fault)]
  })
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function patternProblems({ type, pattern }: Attribute, fault: (pattern: string) => string | undefined): Problem[] {
  if (pattern === null) return []
  if (type !== 'text') return [problem('pattern', 'A pattern', 'belongs to the type text')]
  if (pattern.length > patternLengthAtMost) {
    return [problem('pattern', 'The pattern', `must have at most ${patternLengthAtMost} characters`)]
  }
  const found = fault(pattern)
  return found === undefined ? [] : [problem('pattern', 'The pattern', found)]
}

function boundProblems({ type, min, max }: Attribute): Problem[] {
  if (min === null && max === null) return []
  if (type !== 'text' && type !== 'integer')
    return [problem('min', 'min and max', 'belong to the types text and integer')]
  const [least, most] = type === 'text' ? [0, textLengthAtMost] : [-integerAtMost, integerAtMost]
  const outside = [min, max].some((one) => one !== null && !(Number.isInteger(one) && one >= least && one <= most))
  if (outside) return [problem('min', 'min and max', `are whole numbers from ${least} to ${most}`)]
  return min !== null && max !== null && min > max ? [problem('min', 'min', 'must not be greater than max')] : []
}

/** Returns the text for a language: of its tag, of the tag without its region, or of every language. */
export function translated(texts: Translations, tag: string, otherwise: string): string {
  const wanted = tag.toLowerCase()
  return texts[wanted] ?? texts[wanted.replace(/-.*/, '')] ?? texts[''] ?? otherwise
}

/** Returns the problem of one attribute too many. */
export function countProblems(count: number): Problem[] {
  return count > attributesAtMost ? [problem('name', 'The service', `has at most ${attributesAtMost} attributes`)] : []
}
