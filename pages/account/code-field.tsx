import { useEffect, useId, useRef } from 'preact/hooks'
import { described, Explained } from '../kit/field.tsx'

type Props = {
  label: string
  hint: string
  /** What is wrong with the code that was sent before. */
  fault?: string | null
  /** Six digits, for which phones show a number pad and offer the code of a message; otherwise letters as well. */
  digits?: boolean
  defaultValue?: string
  onInput?(code: string): void
}

/** A box for a code. Blanks that come with a pasted code are for the service to ignore. */
export function CodeField({ label, hint, fault = null, digits = true, defaultValue = '', onInput }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    input.current?.focus()
  }, [])

  return (
    <Explained id={id} label={label} fault={fault} hint={hint}>
      <input
        ref={input}
        id={id}
        class="code-box"
        name="code"
        type="text"
        dir="ltr"
        inputmode={digits ? 'numeric' : 'text'}
        autocomplete={digits ? 'one-time-code' : 'off'}
        autocapitalize="none"
        autocorrect="off"
        spellcheck={false}
        maxLength={64}
        required
        defaultValue={defaultValue}
        {...described(id, { fault, hint })}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
    </Explained>
  )
}
