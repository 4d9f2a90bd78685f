import { type AttributeValues, sentOf, typedOf } from '../attribute-values.ts'
import { Section } from '../kit/area.tsx'
import { ValueControl } from '../kit/value-control.tsx'
import { call, type Result } from './api.ts'
import type { Attribute } from './attribute-fields.tsx'
import { faultOf, useChange } from './change.tsx'
import { useDraft } from './draft.ts'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { type PartProps, type Person, pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

type Props = {
  values: AttributeValues
  /** Undefined: nobody may change them here. */
  save: ((changed: Record<string, unknown>) => Promise<Result<unknown>>) | undefined
  saved(value: unknown, etag: string | null): void
  /** Pages at or below this address keep what is typed. */
  within: string
}

/** The fields that this installation declares, with the values of a person. */
function PersonAttributes({ values, save, saved, within }: Props) {
  const list = useList<Attribute>('/attributes', { limit: 500 })
  const me = useMe()
  const text = words().attributes
  return (
    <Section id="attributes" title={words().pages.attributes}>
      {list.items !== null && list.items.length > 0 ? (
        <Values declared={list.items} values={values} save={save} saved={saved} within={within} />
      ) : (
        <ListPart list={list} empty={me.may('admin:users') ? <a href={at('attributes')}>{text.declare}</a> : text.none}>
          {() => null}
        </ListPart>
      )}
    </Section>
  )
}

function Values({ declared, values, save, saved, within }: Props & { declared: readonly Attribute[] }) {
  const before = Object.fromEntries(declared.map(({ name }) => [name, typedOf(values[name])]))
  const [draft, setDraft, sent] = useDraft<Record<string, string>>(before)
  const change = useChange()
  const canSave = save !== undefined && !declared.every(isWrittenBySource)
  const send = () => {
    if (save === undefined) return
    const changed = declared.filter(({ name }) => draft[name] !== before[name])
    return change.run(
      () => save(Object.fromEntries(changed.map((one) => [one.name, sentOf(one, draft[one.name] ?? '')]))),
      (value, etag) => {
        sent(draft)
        saved(value, etag)
      },
    )
  }
  return (
    <SaveForm
      change={change}
      shown={declared.map(({ name }) => placeOf(name))}
      save={send}
      isReadOnly={!canSave}
      hasColumns
      look="quiet"
      within={within}
    >
      {declared.map((attribute) => (
        <ValueField
          key={attribute.name}
          attribute={attribute}
          typed={draft[attribute.name] ?? ''}
          set={(typed) => setDraft({ ...draft, [attribute.name]: typed })}
          result={change.failed}
        />
      ))}
    </SaveForm>
  )
}

/** The service refuses a change of what imports and provisioning write. */
const isWrittenBySource = ({ edited_by }: Attribute): boolean => edited_by === 'source'

/** Where the service finds fault with a value (RFC 6901). */
const placeOf = (name: string): string => `/attributes/${name}`

type ValueFieldProps = {
  attribute: Attribute
  typed: string
  set(typed: string): void
  result: Result<unknown> | null
}

function ValueField({ attribute, typed, set, result }: ValueFieldProps) {
  const { name, label, help, type, many, choices } = attribute
  const text = words().attributes
  const isOfSource = isWrittenBySource(attribute)
  const hint =
    help || isOfSource ? (
      <>
        {help && <bdi>{help}</bdi>} {isOfSource && text.bySource}
      </>
    ) : undefined
  return (
    <ValueControl
      id={`attribute-${name}`}
      label={<bdi>{label ?? name}</bdi>}
      type={type}
      many={many}
      choices={(choices ?? []).map((choice) => ({ value: choice.value, label: choice.label ?? choice.value }))}
      typed={typed}
      set={set}
      fault={faultOf(result, placeOf(name))}
      hint={hint}
      isReadOnly={isOfSource}
      required={attribute.required && !isOfSource}
      words={{ yes: text.yes, no: text.no, none: words().common.none, onePerLine: text.choicesHint }}
    />
  )
}

/** The same, as a part of the page of a person. */
export function Attributes({ person, loaded, say }: PartProps) {
  const mayChange = useMe().may('admin:users')
  const { id, username, attributes = {} } = person
  return (
    <PersonAttributes
      values={attributes}
      within={at('people', id)}
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
