import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

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
