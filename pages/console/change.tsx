import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { QuestionPanel } from '../account/question-panel.tsx'
import { Notice } from '../layout.tsx'
import { fillNodes } from '../texts.ts'
import type { Result } from './api.ts'
import { InEnglish, messagesFor, ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

export type Change = {
  busy: boolean
  /** What came of the last run, unless it succeeded. */
  failed: Exclude<Result<unknown>, { kind: 'ok' }> | null
  /** Does nothing while another run is under way. */
  run<T>(act: () => Promise<Result<T>>, then: (value: T, etag: string | null) => unknown): Promise<void>
  clear(): void
}

/** A change that a person asks for. */
export function useChange(): Change {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Change['failed']>(null)
  const running = useRef(false)

  async function run<T>(
    act: () => Promise<Result<T>>,
    then: (value: T, etag: string | null) => unknown,
  ): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailed(null)
    const result = await act()
    if (result.kind === 'ok') await then(result.value, result.etag)
    else setFailed(result)
    running.current = false
    setBusy(false)
  }
  return { busy, failed, run, clear: () => setFailed(null) }
}

type ButtonProps = {
  buttonRef?: RefObject<HTMLButtonElement | null>
  type?: 'button' | 'submit'
  look?: 'main' | 'quiet' | 'danger'
  busy?: boolean
  disabled?: boolean
  describedBy?: string | undefined
  onClick?(): void
  children: ComponentChildren
}

export function Button({
  buttonRef,
  type = 'button',
  look = 'quiet',
  busy,
  disabled,
  describedBy,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      {...(buttonRef && { ref: buttonRef })}
      type={type}
      class={look === 'main' ? 'button' : `button ${look}`}
      aria-busy={busy || undefined}
      {...(disabled && { disabled })}
      {...(onClick && { onClick })}
      {...(describedBy && { 'aria-describedby': describedBy })}
    >
      <span>{children}</span>
    </button>
  )
}

/** Tells on the page what came of a change. */
export type Tell = (text: ComponentChildren) => void

/** Says what succeeded, and takes the focus there: what was pressed may be gone. */
export function useSaid(): [ComponentChildren, Tell] {
  const [said, setSaid] = useState<{ text: ComponentChildren } | null>(null)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (said && !document.activeElement?.closest('.asking, .console main :is(input, select, textarea)'))
      place.current?.focus()
  }, [said])

  const node = (
    <div ref={place} class="said" tabIndex={-1}>
      {said && <Notice role="status">{said.text}</Notice>}
    </div>
  )
  return [node, (text) => setSaid({ text })]
}

type FieldProps = {
  label: string
  name: string
  value: string
  onInput(value: string): void
  hint?: ComponentChildren
  /** The call whose messages about this member stand here. */
  result?: Result<unknown> | null
  /** The member of the API, if it is called otherwise. */
  member?: string
  /** A message about what is typed, before it is sent. */
  message?: string | undefined
  lines?: number
  type?: 'text' | 'search' | 'url' | 'email' | 'password'
  required?: boolean
  autocomplete?: string
  inputRef?: RefObject<HTMLInputElement | null>
}

/** A field with its hint and its messages. Pasting is always possible. */
export function Field({
  label,
  name,
  value,
  onInput,
  hint,
  result = null,
  member = name,
  message,
  lines,
  type = 'text',
  required,
  autocomplete = 'off',
  inputRef,
}: FieldProps) {
  const id = useId()
  const told = messagesFor(result, member)
  const messages = [...told, ...(message ? [message] : [])]
  const about = [hint && `${id}-hint`, messages.length > 0 && `${id}-fault`].filter(Boolean).join(' ')
  const common = {
    id,
    name,
    value,
    ...(required && { required }),
    autocomplete,
    spellcheck: false,
    dir: 'auto' as const,
    'aria-invalid': messages.length > 0 || undefined,
    ...(about && { 'aria-describedby': about }),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input
          {...common}
          {...(inputRef && { ref: inputRef })}
          type={type as 'text'}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea {...common} rows={lines} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {messages.length > 0 && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {told.length > 0 && <InEnglish>{told.join(' ')}</InEnglish>} {message}
        </p>
      )}
    </div>
  )
}

type AskingProps = {
  /** The words on the button, before and after the question. */
  label: string
  question: ComponentChildren
  /** What will be lost. */
  body: ComponentChildren
  /** What has to be typed before the button acts; absent: nothing. */
  confirm?: string
  describedBy?: string
  act(): Promise<Result<unknown>>
  then(): unknown
}

/** A button that asks before it acts. A destructive one names what will be lost, and asks for the name. */
export function Asking({ label, question, body, confirm, describedBy, act, then }: AskingProps) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const wasOpen = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const change = useChange()
  const id = useId()
  const text = words().common

  // Before the browser paints: a key that is pressed at once belongs to the button.
  useLayoutEffect(() => {
    if (!open && wasOpen.current) trigger.current?.focus()
    wasOpen.current = open
  }, [open])

  const close = () => {
    change.clear()
    setTyped('')
    setOpen(false)
  }
  if (!open)
    return (
      <Button buttonRef={trigger} look="danger" describedBy={describedBy} onClick={() => setOpen(true)}>
        {label}
      </Button>
    )
  const isReady = confirm === undefined || typed.trim() === confirm
  const submit = () => {
    if (!isReady) return
    void change.run(act, async () => {
      setOpen(false)
      await then()
    })
  }
  return (
    <QuestionPanel question={question} body={body} close={close}>
      {confirm !== undefined && (
        <div class="field">
          <label for={`${id}-name`}>{fillNodes(text.typeName, { name: <bdi>{confirm}</bdi> })}</label>
          <input
            id={`${id}-name`}
            type="text"
            value={typed}
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && submit()}
          />
        </div>
      )}
      {change.failed && <ProblemNotice result={change.failed} />}
      <div class="buttons">
        <Button look="danger" busy={change.busy} disabled={!isReady} onClick={submit}>
          {label}
        </Button>
        <Button onClick={close}>{text.cancel}</Button>
      </div>
    </QuestionPanel>
  )
}
