import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { Labelled } from './labelled.tsx'

const EYE = 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z'
const EYE_STRUCK = `${EYE}M2.5 13.5l11-11`

type Attribute = 'autocomplete' | 'required' | 'aria-invalid' | 'aria-describedby'
type Props = Pick<JSX.IntrinsicElements['input'], Attribute> & {
  id: string
  words: { label: string; showCharacters: string; capsLock: string }
  inputRef: RefObject<HTMLInputElement | null>
  /** Whether the characters are shown. */
  visible: boolean
  onVisible(visible: boolean): void
  onInput?(password: string): void
  onBlur?(): void
  /** Stands below the box. */
  children?: ComponentChildren
}

/** A box for a password with a button that shows its characters, and a hint while Caps Lock is on. */
export function PasswordBox({ id, words, inputRef, visible, onVisible, onInput, onBlur, children, ...others }: Props) {
  const [capsLock, setCapsLock] = useState(false)
  // A password manager that fills the box sends key events that carry no modifier state.
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)

  return (
    <Labelled id={id} label={words.label} hint={capsLock && words.capsLock} role="status">
      <div class="with-toggle">
        <input
          {...(others as { required?: boolean })}
          ref={inputRef}
          id={id}
          name="password"
          {...(visible ? { type: 'text' } : { type: 'password' })}
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          onInput={(event) => onInput?.(event.currentTarget.value)}
          onKeyDown={noticeCapsLock}
          onKeyUp={noticeCapsLock}
          onBlur={() => {
            setCapsLock(false)
            onBlur?.()
          }}
        />
        <button
          type="button"
          class="toggle"
          aria-label={words.showCharacters}
          title={words.showCharacters}
          aria-pressed={visible}
          aria-controls={id}
          onClick={() => onVisible(!visible)}
        >
          <Icon path={visible ? EYE_STRUCK : EYE} />
        </button>
      </div>
      {children}
    </Labelled>
  )
}
