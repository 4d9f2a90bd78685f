import { described, Explained, Fault, Field } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
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

export type AttributeValues = Record<string, string | number | boolean | (string | number)[]>

/** Values as their controls have them: of a list one in each line. */
export const typedOf = (value: AttributeValues[string] | undefined): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join('\n') : String(value)

/** What is typed, as a value of the type; what is none goes as it is, for the service to say so. */
export function sentOf({ type, many }: ShownField, typed: string): unknown {
  const single = (text: string): unknown => {
    if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
    return type === 'boolean' ? text === 'true' : text
  }
  const lines = typed.split('\n').map((line) => line.trim())
  const given = lines.filter((line) => line !== '')
  if (given.length === 0) return null
  return many ? given.map(single) : single(typed.trim())
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
  const id = `attribute-${name}`
  // Its language may be another one than that of the page.
  const about = help && <bdi>{help}</bdi>
  const hint = editable ? (
    about
  ) : (
    <>
      {about} {text.attributes.notYours}
    </>
  )
  const fault = isFaulty && (typed.trim() === '' ? text.attributes.missing : text.invalid)
  const posted = isPosted ? { name } : {}
  if (many && type === 'choice') {
    const chosen = typed.split('\n').filter((value) => value !== '')
    return (
      <fieldset
        id={id}
        class="choices"
        disabled={!editable}
        aria-describedby={described(id, { fault, hint })['aria-describedby']}
      >
        {isPosted && <input type="hidden" name={name} value={typed} />}
        <legend>
          <bdi>{label}</bdi>
        </legend>
        {choices.map(({ value, label: shown }) => (
          <Check
            key={value}
            checked={chosen.includes(value)}
            aria-invalid={isFaulty || undefined}
            onChange={(isChosen) =>
              set(
                choices
                  .flatMap((one) => ((one.value === value ? isChosen : chosen.includes(one.value)) ? [one.value] : []))
                  .join('\n'),
              )
            }
          >
            <bdi>{shown}</bdi>
          </Check>
        ))}
        <Fault id={id}>{fault}</Fault>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </fieldset>
    )
  }
  const options =
    type === 'boolean'
      ? [
          { value: 'true', label: text.attributes.yes },
          { value: 'false', label: text.attributes.no },
        ]
      : choices
  if (type === 'boolean' || type === 'choice') {
    return (
      <Explained id={id} label={<bdi>{label}</bdi>} fault={fault} hint={hint}>
        <select
          id={id}
          {...posted}
          value={typed}
          disabled={!editable}
          {...described(id, { fault, hint })}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">{required ? text.attributes.choose : text.attributes.none}</option>
          {options.map(({ value, label: shown }) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      </Explained>
    )
  }
  return (
    <fieldset class="plain-set" disabled={!editable}>
      <Field
        id={id}
        {...posted}
        label={<bdi>{label}</bdi>}
        value={typed}
        onInput={set}
        fault={fault}
        hint={
          many ? (
            <>
              {hint} {text.attributes.onePerLine}
            </>
          ) : (
            hint
          )
        }
        {...(many ? { lines: 3 } : type === 'date' && { type })}
      />
    </fieldset>
  )
}
