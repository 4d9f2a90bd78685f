import { Select } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
import type { Result } from './api.ts'
import { Field } from './change.tsx'
import { words } from './texts.ts'

export type AttributeChoice = { value: string; label?: string }

/** A declaration as the API has it. Labels in further languages (`label#de`) are members of their own, which the form keeps. */
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
  label: string
  help: string
  type: Attribute['type']
  choices: string
  edited_by: Attribute['edited_by']
  seen_by: Attribute['seen_by']
  pattern: string
  min: string
  max: string
} & Record<Switch, boolean>

type Switch = 'many' | 'required' | 'unique' | 'searchable'

export const emptyDraft: AttributeDraft = {
  name: '',
  label: '',
  help: '',
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
  const { label, help, choices, pattern, min, max } = attribute
  return {
    ...attribute,
    label: label ?? '',
    help: help ?? '',
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
    label: textOf(draft.label),
    help: textOf(draft.help),
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
  const field = (member: 'name' | 'label' | 'help' | 'choices' | 'pattern' | 'min' | 'max') => ({
    name: member,
    value: draft[member],
    result,
    onInput: (value: string) => change({ [member]: value }),
  })
  const check = (member: Switch, label: string) => (
    <Check checked={draft[member]} onChange={(checked) => change({ [member]: checked })}>
      {label}
    </Check>
  )
  return (
    <>
      {isNew && <Field label={words().common.name} hint={text.nameHint} required {...field('name')} />}
      <Field label={text.label} hint={text.labelHint} {...field('label')} />
      <Field label={text.help} hint={text.helpHint} {...field('help')} />
      <Select
        label={text.type}
        value={draft.type}
        options={Object.entries(text.types)}
        onChange={(type) => change({ type: type as Attribute['type'] })}
      />
      {draft.type === 'choice' && (
        <Field label={text.choices} hint={text.choicesHint} lines={4} required {...field('choices')} />
      )}
      {isText(draft) && <Field label={text.pattern} hint={text.patternHint} {...field('pattern')} />}
      {hasRange(draft) && (
        <>
          <Field label={text.min} hint={text.rangeHint} {...field('min')} />
          <Field label={text.max} {...field('max')} />
        </>
      )}
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
      {check('many', text.many)}
      {check('required', text.required)}
      {canBeUnique(draft) && check('unique', text.unique)}
      {check('searchable', text.searchable)}
    </>
  )
}
