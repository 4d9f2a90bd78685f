import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { PasswordOwner } from '../../src/users/password-rules'
import { PasswordToggle } from '../password-toggle.tsx'
import { entry, fill } from '../texts.ts'
import { newPasswordFault } from './new-password.ts'
import { words } from './texts.ts'

/** How long the typing rests before the password is judged. */
const REST_MS = 200

type Props = {
  /** Characters that a password has at least. */
  minLength: number
  /** What the password must not be like, as it stands now. */
  owner(): PasswordOwner
  /** Error code of the service about the password that was sent before; null: none. */
  error: string | null
  /** Whether the characters are shown. The form hides them before it is sent: browsers keep what visible boxes hold. */
  visible: boolean
  onVisible(visible: boolean): void
  /** Said while nothing has been typed, besides what a password needs. */
  hint?: string
  autofocus?: boolean
  onInput?(password: string): void
}

/** A box for a new password, with the reason why it cannot be used while it is typed. */
export function NewPasswordField({ minLength, owner, error, visible, onVisible, hint, autofocus, onInput }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<string | null>(error)
  const [isJudged, setJudged] = useState(error !== null)
  const [isTyped, setTyped] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const text = words().newPassword
  const count = { count: String(minLength) }

  useEffect(() => {
    if (autofocus) input.current?.focus()
  }, [])

  useEffect(() => {
    if (error === null) return
    setFault(error)
    setJudged(true)
    setTyped(false)
    input.current?.focus()
  }, [error])

  useEffect(() => {
    if (!value) return
    let isLatest = true
    const timer = setTimeout(async () => {
      const found = (await newPasswordFault(value, owner(), minLength)) ?? null
      if (!isLatest) return
      setFault(found)
      setJudged(true)
    }, REST_MS)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [value])

  // What is only not long enough yet is no fault while it is typed, until the focus leaves.
  const isGrowing = fault === 'password_too_short' && isTyped
  const isFault = isJudged && fault !== null && !isGrowing
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)

  return (
    <div class="field">
      <div class="label-row">
        <label for={id}>{text.label}</label>
        <span class="hint" role="status">
          {capsLock && text.capsLock}
        </span>
      </div>
      <div class="with-toggle">
        <input
          ref={input}
          id={id}
          name="password"
          {...(visible ? { type: 'text' } : { type: 'password' })}
          autocomplete="new-password"
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          aria-invalid={isFault || undefined}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            setValue(event.currentTarget.value)
            setTyped(true)
            if (!event.currentTarget.value) setJudged(false)
            onInput?.(event.currentTarget.value)
          }}
          onKeyDown={noticeCapsLock}
          onKeyUp={noticeCapsLock}
          onBlur={() => {
            setTyped(false)
            setCapsLock(false)
          }}
        />
        <PasswordToggle
          label={text.showCharacters}
          visible={visible}
          controls={id}
          onToggle={() => onVisible(!visible)}
        />
      </div>
      <p id={`${id}-hint`} class={isFault ? 'fault' : 'hint'} role="status">
        {isFault
          ? fill(entry(text.errors, fault, text.otherError), count)
          : isJudged && fault === null
            ? text.good
            : `${fill(text.hint, count)}${hint ? ` ${hint}` : ''}`}
      </p>
    </div>
  )
}
