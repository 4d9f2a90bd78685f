import type { ComponentChildren } from 'preact'

type LabelledProps = {
  id: string
  label: ComponentChildren
  /** Stands at the end of the line of the label. */
  hint?: ComponentChildren
  /** Of a hint that changes. */
  role?: 'status'
  children: ComponentChildren
}

/** A control with its label above it. */
export function Labelled({ id, label, hint, role, children }: LabelledProps) {
  return (
    <div class="field">
      <div class="label-row">
        <label for={id}>{label}</label>
        {(hint || role) && (
          <span class="hint" id={`${id}-hint`} role={role}>
            {hint}
          </span>
        )}
      </div>
      {children}
    </div>
  )
}

type CheckProps = {
  name?: string
  value?: string
  checked?: boolean
  defaultChecked?: boolean
  'aria-invalid'?: boolean | undefined
  'aria-describedby'?: string | undefined
  onChange?(checked: boolean): void
  children: ComponentChildren
}

/** A choice of yes or no. */
export function Check({ onChange, children, ...others }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" {...others} onChange={onChange && ((event) => onChange(event.currentTarget.checked))} />
      <span>{children}</span>
    </label>
  )
}
