import type { ComponentChildren } from 'preact'
import { described, Explained, Fault, Field } from './field.tsx'
import { Check } from './labelled.tsx'

type Props = {
  id: string
  label: ComponentChildren
  type: 'text' | 'integer' | 'boolean' | 'date' | 'choice'
  many: boolean
  choices: readonly { value: string; label: string }[]
  typed: string
  set(typed: string): void
  fault?: ComponentChildren
  hint?: ComponentChildren
  /** Whether the value is only shown. */
  isReadOnly: boolean
  /** Whether the browser asks for a value. A list of choices is judged by the service alone. */
  required?: boolean
  /** The browser sends it, under this name. */
  postedAs?: string
  /** `none`: the choice of no value. */
  words: { yes: string; no: string; none: string; onePerLine: string }
}

/** The control of a value, of the kind of its type. `typed`: one value in each line. */
export function ValueControl(props: Props) {
  const {
    id,
    label,
    type,
    many,
    choices,
    typed,
    set,
    fault,
    hint,
    isReadOnly,
    required = false,
    postedAs,
    words,
  } = props
  if (many && type === 'choice') return <Choices {...props} />
  const posted = postedAs === undefined ? {} : { name: postedAs }
  const options =
    type === 'boolean'
      ? [
          { value: 'true', label: words.yes },
          { value: 'false', label: words.no },
        ]
      : choices
  if (type === 'boolean' || type === 'choice') {
    return (
      <Explained id={id} label={label} fault={fault} hint={hint}>
        <select
          id={id}
          {...posted}
          value={typed}
          disabled={isReadOnly}
          required={required}
          {...described(id, { fault, hint })}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">{words.none}</option>
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
    <fieldset class="plain-set" disabled={isReadOnly}>
      <Field
        id={id}
        {...posted}
        label={label}
        value={typed}
        required={required}
        onInput={set}
        fault={fault}
        hint={
          many ? (
            <>
              {hint} {words.onePerLine}
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

function Choices({ id, label, choices, typed, set, fault, hint, isReadOnly, postedAs }: Props) {
  const chosen = typed.split('\n').filter((value) => value !== '')
  return (
    <fieldset
      id={id}
      class="choices"
      disabled={isReadOnly}
      aria-describedby={described(id, { fault, hint })['aria-describedby']}
    >
      {postedAs !== undefined && <input type="hidden" name={postedAs} value={typed} />}
      <legend>{label}</legend>
      {choices.map(({ value, label: shown }) => (
        <Check
          key={value}
          checked={chosen.includes(value)}
          aria-invalid={Boolean(fault) || undefined}
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
