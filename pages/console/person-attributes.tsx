import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { call, type Result } from './api.ts'
import type { Attribute } from './attribute-fields.tsx'
import { Field, faultOf, useChange } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { type AttributeValues, type PartProps, type Person, pathOf, type Value } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props = {
  values: AttributeValues
  /** Undefined: nobody may change them here. */
  save: ((changed: Record<string, unknown>) => Promise<Result<unknown>>) | undefined
  saved(value: unknown, etag: string | null): void
}

/** The fields that this installation declares, with the values of a person. */
function PersonAttributes({ values, save, saved }: Props) {
  const list = useList<Attribute>('/attributes', { limit: 500 })
  const text = words().attributes
  return (
    <Section id="attributes" title={words().pages.attributes}>
      {list.items !== null && list.items.length > 0 ? (
        <Values declared={list.items} values={values} save={save} saved={saved} />
      ) : (
        <ListPart list={list} empty={<a href={at('attributes')}>{text.declare}</a>}>
          {() => null}
        </ListPart>
      )}
    </Section>
  )
}

/** One value in each line. */
function typedOf(value: Value | undefined): string {
  if (value === undefined) return ''
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** What is typed, as a value of the type; what is none goes as it is, for the service to say so. */
function sentOf({ type, many }: Attribute, typed: string): unknown {
  const single = (text: string): unknown => {
    if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
  if (!many) return typed.trim() === '' ? null : single(typed.trim())
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? null : lines.map((line) => single(line.trim()))
}

function Values({ declared, values, save, saved }: Props & { declared: readonly Attribute[] }) {
  const before = Object.fromEntries(declared.map(({ name }) => [name, typedOf(values[name])]))
  const [draft, setDraft] = useState<Record<string, string>>(before)
  const change = useChange()
  const send = () => {
    if (save === undefined) return
    const changed = declared.filter(({ name }) => draft[name] !== before[name])
    return change.run(
      () => save(Object.fromEntries(changed.map((one) => [one.name, sentOf(one, draft[one.name] ?? '')]))),
      saved,
    )
  }
  return (
    <Form onSubmit={send}>
      <fieldset class="plain-set columns" disabled={save === undefined}>
        {declared.map((attribute) => (
          <ValueField
            key={attribute.name}
            attribute={attribute}
            typed={draft[attribute.name] ?? ''}
            set={(typed) => setDraft({ ...draft, [attribute.name]: typed })}
            result={change.failed}
          />
        ))}
      </fieldset>
      {change.failed && <ProblemNotice result={change.failed} shown={declared.map(({ name }) => placeOf(name))} />}
      {save !== undefined && (
        <Button type="submit" busy={change.busy}>
          {words().common.save}
        </Button>
      )}
    </Form>
  )
}

/** Where the service finds fault with a value (RFC 6901). */
const placeOf = (name: string): string => `/attributes/${name}`

type ValueFieldProps = {
  attribute: Attribute
  typed: string
  set(typed: string): void
  result: Result<unknown> | null
}

function ValueField({ attribute, typed, set, result }: ValueFieldProps) {
  const { name, label, help, type, many, choices, edited_by } = attribute
  const required = attribute.required && edited_by !== 'source'
  const text = words().attributes
  const shown = label ?? name
  const options: readonly (readonly [string, string])[] | undefined =
    type === 'boolean'
      ? [
          ['true', text.yes],
          ['false', text.no],
        ]
      : type === 'choice' && !many
        ? (choices ?? []).map((choice) => [choice.value, choice.label ?? choice.value] as const)
        : undefined
  // The service refuses a change of what a source writes, and says so.
  const hint = edited_by === 'source' ? text.editors.source : (help ?? undefined)
  if (options !== undefined) {
    return (
      <Select
        label={<bdi>{shown}</bdi>}
        value={typed}
        fault={faultOf(result, placeOf(name))}
        hint={hint}
        required={required}
        options={[['', words().common.none], ...options]}
        onChange={set}
      />
    )
  }
  return (
    <Field
      label={<bdi>{shown}</bdi>}
      name={`attributes.${name}`}
      member={placeOf(name)}
      hint={many ? [hint, text.choicesHint].filter(Boolean).join(' ') : hint}
      value={typed}
      required={required}
      onInput={set}
      result={result}
      {...(many ? { lines: 3 } : type === 'date' && { type })}
    />
  )
}

/** The same, as a part of the page of a person. */
export function Attributes({ person, loaded, say }: PartProps) {
  const mayChange = useMe().may('admin:users')
  const { id, username, attributes = {} } = person
  return (
    <PersonAttributes
      key={JSON.stringify(attributes)}
      values={attributes}
      save={
        mayChange
          ? (changed) =>
              call<Person>({
                method: 'PATCH',
                path: pathOf(id),
                body: { attributes: changed },
                etag: loaded.etag,
                username,
              })
          : undefined
      }
      saved={(value, etag) => {
        loaded.set(value as Person, etag)
        say(words().common.saved)
      }}
    />
  )
}
