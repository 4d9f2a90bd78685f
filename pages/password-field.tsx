import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { PasswordToggle } from './password-toggle.tsx'
import { texts } from './texts.ts'

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
        <PasswordToggle label={texts.signIn.showCharacters} visible={visible} controls="password" onToggle={onToggle} />
      </div>
    </div>
  )
}
