import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, type Look } from './button.tsx'
import { Field } from './field.tsx'

type QuestionPanelProps = {
  question: ComponentChildren
  /** What the answer leads to. */
  body: ComponentChildren
  /** Called for Escape. */
  close(): void
  /** Fields, and the buttons that answer. */
  children: ComponentChildren
}

/** A question that stands in the place of the button that asked for it, and takes the focus. */
export function QuestionPanel({ question, body, close, children }: QuestionPanelProps) {
  const panel = useRef<HTMLFieldSetElement>(null)
  const id = useId()
  // Before the browser paints: a key that is pressed at once belongs to the question.
  useLayoutEffect(() => panel.current?.focus(), [])
  return (
    <fieldset
      ref={panel}
      class="asking"
      tabIndex={-1}
      aria-labelledby={id}
      aria-describedby={`${id}-body`}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <strong id={id}>{question}</strong>
      <div id={`${id}-body`}>{body}</div>
      {children}
    </fieldset>
  )
}

type AskingProps = {
  /** The words on the button, before and after the question. */
  label: string
  question: ComponentChildren
  body: ComponentChildren
  cancel: string
  /** What has to be typed before the button acts; absent: nothing. */
  confirm?: { label: ComponentChildren; text: string } | undefined
  look?: Look | undefined
  describedBy?: string | undefined
  /** Whether it asks at once. */
  isOpen?: boolean
  busy: boolean
  /** Why the last press did not succeed. */
  problem: ComponentChildren
  /** Does what was asked, and closes the question when that is done. */
  act(close: () => void): unknown
  onCancel(): void
}

/** A button that asks once before it acts. */
export function Asking({ isOpen = false, look = 'danger', confirm, act, onCancel, ...asked }: AskingProps) {
  const { label, question, body, cancel, describedBy, busy, problem } = asked
  const [open, setOpen] = useState(isOpen)
  const [typed, setTyped] = useState('')
  const wasOpen = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)

  // Before the browser paints: a key that is pressed at once belongs to the button.
  useLayoutEffect(() => {
    if (!open && wasOpen.current) trigger.current?.focus()
    wasOpen.current = open
  }, [open])

  // What follows from the answer is still being loaded while the closed button is busy.
  if (!open)
    return (
      <Button buttonRef={trigger} look={look} busy={busy} aria-describedby={describedBy} onClick={() => setOpen(true)}>
        {label}
      </Button>
    )
  const close = () => {
    onCancel()
    setTyped('')
    setOpen(false)
  }
  const isReady = confirm === undefined || typed.trim() === confirm.text
  const submit = () => isReady && act(() => setOpen(false))
  return (
    <QuestionPanel question={question} body={body} close={close}>
      {confirm && (
        <Field
          label={confirm.label}
          value={typed}
          autocomplete="off"
          onInput={setTyped}
          onKeyDown={(event) => event.key === 'Enter' && submit()}
        />
      )}
      {problem}
      <div class="buttons">
        <Button look="danger" busy={busy} disabled={!isReady} onClick={submit}>
          {label}
        </Button>
        <Button onClick={close}>{cancel}</Button>
      </div>
    </QuestionPanel>
  )
}
