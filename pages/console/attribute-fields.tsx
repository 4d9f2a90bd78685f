import { Select } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
import type { Result } from './api.ts'
import { Field } from './change.tsx'
import { boxesOf } from './draft.ts'
import { LanguageTexts, sentTexts, type Texts, textsOf } from './language-texts.tsx'
import { words } from './texts.ts'

export type AttributeChoice = { value: string; label?: string }

/** A declaration as the API has it. Labels and help texts in further languages are members of their own (`label#de`). */
export type Attribute = {
  name: string
  type: 'text' | 'integer' | 'boolean' | 'date' | 'choice'
  many: boolean
  choices: AttributeChoice[] | null
  label: string | null
  help: string | null
  required: boolean
  edited_by: 'operator' | 'person' | 'source'
  seen_by: 'operator' | 'person'
  unique: boolean
  pattern: string | null
  min: number | null
  max: number | null
  searchable: boolean
}

/** What is typed and chosen. */
export type AttributeDraft = {
  name: string
  texts: Texts
  type: Attribute['type']
  choices: string
  edited_by: Attribute['edited_by']
  seen_by: Attribute['seen_by']
  pattern: string
  min: string
  max: string
} & Record<Switch, boolean>

type Switch = 'many' | 'required' | 'unique' | 'searchable'

const labelsOf = (attribute: object): Texts => textsOf(attribute, ['label', 'help'])

/** The members that have a field of their own for messages. */
export const shownOf = ({ texts }: AttributeDraft): string[] => [
  ...['name', 'choices', 'pattern', 'min', 'max'],
  ...Object.keys(texts),
]

export const emptyDraft: AttributeDraft = {
  name: '',
  texts: labelsOf({}),
  type: 'text',
  choices: '',
  edited_by: 'operator',
  seen_by: 'person',
  pattern: '',
  min: '',
  max: '',
  many: false,
  required: false,
  unique: false,
  searchable: false,
}

export function draftOf(attribute: Attribute): AttributeDraft {
  const { choices, pattern, min, max } = attribute
  return {
    ...attribute,
    texts: labelsOf(attribute),
    choices: (choices ?? []).map(({ value }) => value).join('\n'),
    pattern: pattern ?? '',
    min: min === null ? '' : String(min),
    max: max === null ? '' : String(max),
  }
}

const textOf = (typed: string): string | null => typed.trim() || null

/** A number; what is none goes as it is, for the service to say so. */
function numberOf(typed: string): number | string | null {
  const text = typed.trim()
  if (text === '') return null
  return /^-?\d+$/.test(text) ? Number(text) : text
}

/** Which kinds of values have a pattern, a range, can be unique. */
const isText = ({ type }: AttributeDraft): boolean => type === 'text'
const hasRange = ({ type }: AttributeDraft): boolean => type === 'text' || type === 'integer'
const canBeUnique = (draft: AttributeDraft): boolean => hasRange(draft) && !draft.many

/** The members as the API takes them. `before`: those that are stored; its labels of choices are kept. */
export function membersOf(draft: AttributeDraft, before: Attribute | null) {
  const known = new Map((before?.choices ?? []).map((choice) => [choice.value, choice]))
  const values = draft.choices.split('\n').flatMap((line) => textOf(line) ?? [])
  return {
    ...sentTexts(draft.texts),
    type: draft.type,
    ...(draft.type === 'choice' && { choices: values.map((value) => known.get(value) ?? value) }),
    many: draft.many,
    required: draft.required,
    edited_by: draft.edited_by,
    seen_by: draft.seen_by,
    unique: canBeUnique(draft) && draft.unique,
    searchable: draft.searchable,
    pattern: isText(draft) ? textOf(draft.pattern) : null,
    min: hasRange(draft) ? numberOf(draft.min) : null,
    max: hasRange(draft) ? numberOf(draft.max) : null,
  }
}

type Props = {
  draft: AttributeDraft
  set(draft: AttributeDraft): void
  isNew: boolean
  result: Result<unknown> | null
}

export function AttributeFields({ draft, set, isNew, result }: Props) {
  const text = words().attributes
  const change = (more: Partial<AttributeDraft>) => set({ ...draft, ...more })
  const field = boxesOf(draft, set, result)
  const check = (member: Switch, label: string) => (
    <Check checked={draft[member]} onChange={(checked) => change({ [member]: checked })}>
      {label}
    </Check>
  )
  return (
    <>
      {isNew && <Field label={words().common.name} hint={text.nameHint} required {...field('name')} />}
      <Select
        label={text.type}
        value={draft.type}
        options={Object.entries(text.types)}
        onChange={(type) => change({ type: type as Attribute['type'] })}
      />
      {draft.type === 'choice' && (
        <Field label={text.choices} hint={text.choicesHint} lines={4} required {...field('choices')} />
      )}
      {check('many', text.many)}
      <LanguageTexts
        members={[
          { member: 'label', label: text.label, hint: text.labelHint },
          { member: 'help', label: text.help, hint: text.helpHint },
        ]}
        texts={draft.texts}
        set={(texts) => change({ texts })}
        result={result}
      />
      {check('required', text.required)}
      <Select
        label={text.editedBy}
        value={draft.edited_by}
        options={Object.entries(text.editors)}
        onChange={(value) => change({ edited_by: value as Attribute['edited_by'] })}
      />
      <Select
        label={text.seenBy}
        value={draft.seen_by}
        options={Object.entries(text.viewers)}
        onChange={(value) => change({ seen_by: value as Attribute['seen_by'] })}
      />
      {check('searchable', text.searchable)}
      {canBeUnique(draft) && check('unique', text.unique)}
      {hasRange(draft) && (
        <div class="halves">
          <Field label={isText(draft) ? text.minLength : text.min} {...field('min')} />
          <Field label={isText(draft) ? text.maxLength : text.max} {...field('max')} />
        </div>
      )}
      {isText(draft) && <Field label={text.pattern} hint={text.patternHint} {...field('pattern')} />}
    </>
  )
}
