import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { PasswordOwner } from '../../src/users/password-rules'
import { PasswordBox } from '../kit/password-box.tsx'
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

  return (
    <PasswordBox
      id={id}
      words={text}
      inputRef={input}
      autocomplete="new-password"
      visible={visible}
      onVisible={onVisible}
      aria-invalid={isFault || undefined}
      aria-describedby={`${id}-judgement`}
      onInput={(typed) => {
        setValue(typed)
        setTyped(true)
        if (!typed) setJudged(false)
        onInput?.(typed)
      }}
      onBlur={() => setTyped(false)}
    >
      <p id={`${id}-judgement`} class={isFault ? 'fault' : 'hint'} role="status">
        {isFault
          ? fill(entry(text.errors, fault, text.otherError), count)
          : isJudged && fault === null
            ? text.good
            : `${fill(text.hint, count)}${hint ? ` ${hint}` : ''}`}
      </p>
    </PasswordBox>
  )
}
