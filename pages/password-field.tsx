import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { texts } from './texts/index.ts'

const EYE = 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z'
const EYE_STRUCK = `${EYE}M2.5 13.5l11-11`

type Props = {
  inputRef: RefObject<HTMLInputElement | null>
  visible: boolean
  onToggle(): void
  invalid: boolean
  describedBy: string | undefined
}

/** A password box with a button that shows its characters, and a hint while Caps Lock is on. */
export function PasswordField({ inputRef, visible, onToggle, invalid, describedBy }: Props) {
  const [capsLock, setCapsLock] = useState(false)
  // A password manager that fills the box sends key events that carry no modifier state.
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)

  return (
    <div class="field">
      <div class="label-row">
        <label for="password">{texts.signIn.password}</label>
        <span class="hint" role="status">
          {capsLock && texts.signIn.capsLock}
        </span>
      </div>
      <div class="with-toggle">
        <input
          ref={inputRef}
          id="password"
          name="password"
          {...(visible ? { type: 'text' } : { type: 'password' })}
          autocomplete="current-password"
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          required
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          onKeyDown={noticeCapsLock}
          onKeyUp={noticeCapsLock}
          onBlur={() => setCapsLock(false)}
        />
        <button
          type="button"
          class="toggle"
          aria-label={texts.signIn.showCharacters}
          title={texts.signIn.showCharacters}
          aria-pressed={visible}
          aria-controls="password"
          onClick={onToggle}
        >
          <Icon path={visible ? EYE_STRUCK : EYE} />
        </button>
      </div>
    </div>
  )
}
