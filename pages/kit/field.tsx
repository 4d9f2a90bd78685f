import type { ComponentChildren, RefObject } from 'preact'
import { useId } from 'preact/hooks'
import { Labelled } from './labelled.tsx'

type About = {
  /** What is wrong with the value. */
  fault?: ComponentChildren
  hint?: ComponentChildren
}

type ExplainedProps = About & { id: string; label: ComponentChildren; children: ComponentChildren }

export function Fault({ id, children }: { id: string; children?: ComponentChildren }) {
  if (!children) return null
  return (
    <p class="fault" id={`${id}-fault`} role="alert">
      {children}
    </p>
  )
}

/** A control with its label above it, and what is wrong with its value and its hint below it. */
export function Explained({ id, label, fault, hint, children }: ExplainedProps) {
  return (
    <Labelled id={id} label={label}>
      {children}
      <Fault id={id}>{fault}</Fault>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </Labelled>
  )
}

/** What tells a screen reader of the fault and the hint of a control. */
export function described(id: string, { fault, hint }: About) {
  const ids = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { 'aria-invalid': Boolean(fault) || undefined, 'aria-describedby': ids || undefined }
}

type FieldProps = About & {
  label: ComponentChildren
  id?: string
  /** Default: its id. */
  name?: string
  value: string
  onInput(value: string): void
  type?: 'text' | 'search' | 'email' | 'tel' | 'url' | 'password' | 'date' | 'datetime-local'
  /** Of a box for several lines; absent: one line. */
  lines?: number
  boxRef?: RefObject<HTMLInputElement | null>
  autocomplete?: string
  required?: boolean
  step?: string
  /** Of a box whose arrow keys choose from a list: the ids of the list and of the option that Enter takes. */
  combobox?: { list: string; active: string | undefined }
  inputmode?: 'numeric'
  onKeyDown?(event: KeyboardEvent): void
}

/** A box for text with its label. */
export function Field({
  label,
  fault,
  hint,
  onInput,
  boxRef,
  lines,
  type = 'text',
  autocomplete,
  combobox,
  ...others
}: FieldProps) {
  const ownId = useId()
  const id = others.id ?? ownId
  const common = {
    dir: 'auto' as const,
    spellcheck: false,
    name: id,
    ...others,
    id,
    ...described(id, { fault, hint }),
    ...(autocomplete !== undefined && { autocomplete: autocomplete as AutoFill }),
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <Explained id={id} label={label} fault={fault} hint={hint}>
      {lines === undefined ? (
        <input
          {...common}
          {...(boxRef && { ref: boxRef })}
          {...({ type } as { type: 'text' })}
          {...(combobox && chosenFrom(combobox))}
          {...(/email|tel|url/.test(type) && { autocapitalize: 'none' })}
        />
      ) : (
        <textarea {...common} rows={lines} />
      )}
    </Explained>
  )
}

const chosenFrom = ({ list, active }: NonNullable<FieldProps['combobox']>) => ({
  role: 'combobox' as const,
  'aria-autocomplete': 'list' as const,
  'aria-controls': list,
  'aria-expanded': true,
  'aria-activedescendant': active,
})

type SelectProps = About & {
  label: ComponentChildren
  id?: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  /** Whether an option with an empty value is no answer. */
  required?: boolean
  onChange(value: string): void
}

export function Select({ id: givenId, label, value, options, required, fault, hint, onChange }: SelectProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Explained id={id} label={label} fault={fault} hint={hint}>
      <select
        id={id}
        value={value}
        required={required}
        {...described(id, { fault, hint })}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
    </Explained>
  )
}

type FormProps = {
  class?: string
  /** Leaves what is missing or malformed to the page. */
  noValidate?: boolean
  formRef?: RefObject<HTMLFormElement | null>
  onKeyDown?(event: KeyboardEvent): void
  onSubmit(): unknown
  children: ComponentChildren
}

/** A form that the page sends, and not the browser. */
export function Form({
  class: className = 'form',
  noValidate = false,
  formRef,
  onSubmit,
  children,
  ...others
}: FormProps) {
  return (
    <form
      {...others}
      {...(formRef && { ref: formRef })}
      class={className}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
    </form>
  )
}
