import { ValueControl } from '../kit/value-control.tsx'
import { words } from './texts.ts'

/** A field that this installation declares, as the service describes it (`seenFields`). */
export type ShownField = {
  name: string
  type: 'text' | 'integer' | 'boolean' | 'date' | 'choice'
  many: boolean
  choices: { value: string; label: string }[]
  label: string
  help: string | null
  required: boolean
  editable: boolean
}

type Props = {
  field: ShownField
  typed: string
  set(typed: string): void
  /** Whether what is typed was refused. */
  isFaulty: boolean
  /** The browser sends it, under the name of the field. */
  isPosted?: boolean
}

/** The control of a field, of its own kind. */
export function AttributeField({ field, typed, set, isFaulty, isPosted = false }: Props) {
  const { name, type, many, choices, label, help, required, editable } = field
  const text = words().profile
  // Its language may be another one than that of the page.
  const about = help && <bdi>{help}</bdi>
  const hint = editable ? (
    about
  ) : (
    <>
      {about} {text.attributes.notYours}
    </>
  )
  return (
    <ValueControl
      id={`attribute-${name}`}
      label={<bdi>{label}</bdi>}
      type={type}
      many={many}
      choices={choices}
      typed={typed}
      set={set}
      fault={isFaulty && (typed.trim() === '' ? text.attributes.missing : text.invalid)}
      hint={hint}
      isReadOnly={!editable}
      {...(isPosted && { postedAs: name })}
      words={{ ...text.attributes, none: required ? text.attributes.choose : text.attributes.none }}
    />
  )
}
