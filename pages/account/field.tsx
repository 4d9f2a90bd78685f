import type { ComponentChildren, RefObject } from 'preact'

type Props = {
  id: string
  label: string
  value: string
  onInput(value: string): void
  boxRef?: RefObject<HTMLInputElement | null>
  type?: 'text' | 'email' | 'tel' | 'url' | 'password'
  autocomplete: string
  hint?: ComponentChildren
  error?: string | false | null | undefined
}

/** A text box with its label above it, and its hint and what is wrong with its value below it. */
export function Field({
  id,
  label,
  value,
  onInput,
  boxRef,
  type = 'text',
  hint,
  error,
  autocomplete,
  ...others
}: Props) {
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(boxRef && { ref: boxRef })}
        id={id}
        name={id}
        {...({ type } as { type: 'text' })}
        {...others}
        autocomplete={autocomplete as AutoFill}
        {...(type !== 'text' && { autocapitalize: 'none', spellcheck: false })}
        value={value}
        {...(error && { 'aria-invalid': true })}
        {...(describedBy && { 'aria-describedby': describedBy })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {error && (
        <p class="fault" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
