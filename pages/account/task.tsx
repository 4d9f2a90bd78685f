import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../api.ts'
import { Notice } from '../layout.tsx'
import { forgetBegun, isBegun } from './begun.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { QuestionPanel } from './question-panel.tsx'
import { words } from './texts.ts'

export type Task = {
  busy: boolean
  /** What came of the last run, unless it succeeded. */
  failed: Answer<unknown> | null
  /** Does nothing while another run is under way. */
  run<T>(act: () => Promise<Answer<T>>, then: (value: T) => unknown): Promise<void>
  /** Takes the last failure off the page. */
  clear(): void
}

/** A change that a person asks for. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Answer<unknown> | null>(null)
  const running = useRef(false)

  async function run<T>(act: () => Promise<Answer<T>>, then: (value: T) => unknown): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailed(null)
    const answer = await act()
    if (answer.kind === 'ok') {
      forgetBegun()
      await then(answer.value)
    } else setFailed(answer)
    running.current = false
    setBusy(false)
  }
  return { busy, failed, run, clear: () => setFailed(null) }
}

/** The error code of a change that was refused. */
export function errorOf(answer: Answer<unknown> | null): string | undefined {
  return answer?.kind === 'refused' ? answer.problem.error : undefined
}

/** Why the last run did not succeed. `errors`: texts by error code. */
export function TaskNotice({ task, errors }: { task: Task; errors?: Record<string, string> }) {
  return task.failed && <ProblemNotice answer={task.failed} errors={{ ...words().common.errors, ...errors }} />
}

type ButtonProps = {
  buttonRef?: RefObject<HTMLButtonElement | null>
  type?: 'button' | 'submit'
  look?: 'main' | 'quiet' | 'danger'
  busy?: boolean
  /** The id of what the button is about. */
  describedBy?: string | undefined
  onClick?(): void
  children: ComponentChildren
}

/** A button that is as wide as its words. */
export function Button({
  buttonRef,
  type = 'button',
  look = 'quiet',
  busy,
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
      {...(onClick && { onClick })}
      {...(describedBy && { 'aria-describedby': describedBy })}
    >
      <span>{children}</span>
    </button>
  )
}

/**
 * Says what succeeded, and takes the focus there: what was pressed may be gone. The focus stays where the person has begun
 * something else meanwhile.
 */
export function useSaid(first: string | null = null): [ComponentChildren, (text: string) => void] {
  const [said, setSaid] = useState<{ text: string } | null>(first === null ? null : { text: first })
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (said && !document.activeElement?.closest('.asking, .area main :is(input, select, textarea)'))
      place.current?.focus()
  }, [said])

  const node = (
    <div ref={place} class="said" tabIndex={-1}>
      {said && <Notice role="status">{said.text}</Notice>}
    </div>
  )
  return [node, (text) => setSaid({ text })]
}

type AskingProps = {
  /** The words on the button, before and after the question. */
  label: string
  question: ComponentChildren
  body: string
  /** The name under which the question is asked again after a sign-in. */
  name: string
  describedBy?: string
  look?: 'quiet' | 'danger'
  act(): Promise<Answer<unknown>>
  then(): unknown
  errors?: Record<string, string>
}

/** A button that asks once before it acts. */
export function Asking({ label, question, body, name, describedBy, look, act, then, errors = {} }: AskingProps) {
  const [open, setOpen] = useState(isBegun(name))
  const wasOpen = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const task = useTask()

  // Before the browser paints: a key that is pressed at once belongs to the button.
  useLayoutEffect(() => {
    if (!open && wasOpen.current) trigger.current?.focus()
    wasOpen.current = open
  }, [open])

  const close = () => {
    forgetBegun()
    task.clear()
    setOpen(false)
  }
  if (!open)
    return (
      <Button
        buttonRef={trigger}
        look={look ?? 'quiet'}
        // What follows from the answer is still being loaded.
        busy={task.busy}
        describedBy={describedBy}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
    )
  return (
    <QuestionPanel question={question} body={<p>{body}</p>} close={close}>
      <TaskNotice task={task} errors={errors} />
      <div class="buttons">
        <Button
          look="danger"
          busy={task.busy}
          onClick={() =>
            task.run(act, async () => {
              setOpen(false)
              await then()
            })
          }
        >
          {label}
        </Button>
        <Button onClick={close}>{words().common.cancel}</Button>
      </div>
    </QuestionPanel>
  )
}
