/** What came of an action: said for a while over the page, with a way back where there is one. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import './record.css'

/** Takes back what was done. Resolves to what is said of it. */
export type Undo = () => Promise<ComponentChildren>

type Toast = { id: number; text: ComponentChildren; undo: Undo | undefined }

/** An action can be taken back this long. */
const undoMs = 10_000
const saidMs = 6000
const shownAtMost = 3

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<(shown: readonly Toast[]) => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener(toasts)
}

/** Says what was done. `undo`: takes it back while the words stand there. */
export function toast(text: ComponentChildren, undo?: Undo): void {
  lastId += 1
  set([...toasts.slice(1 - shownAtMost), { id: lastId, text, undo }])
}

const close = (id: number): void => set(toasts.filter((one) => one.id !== id))

/** Where toasts appear: once in a page. `label` names the region, the others the buttons. */
export function Toasts({ label, undo, dismiss }: { label: string; undo: string; dismiss: string }) {
  const [shown, setShown] = useState(toasts)
  useEffect(() => {
    listeners.add(setShown)
    return () => {
      listeners.delete(setShown)
    }
  }, [])
  return (
    // Not atomic: a new one is read out, and not again those that are there.
    <div class="toasts" role="status" aria-atomic="false" aria-label={label}>
      {shown.map((one) => (
        <OneToast key={one.id} toast={one} undo={undo} dismiss={dismiss} />
      ))}
    </div>
  )
}

function OneToast({ toast: { id, text, undo }, ...words }: { toast: Toast; undo: string; dismiss: string }) {
  const [busy, setBusy] = useState(false)
  const [isPointedAt, setPointedAt] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const isHeld = isPointedAt || hasFocus
  const place = useRef<HTMLFieldSetElement>(null)
  const said = useId()
  /** What had the focus before. */
  const before = useRef<EventTarget | null>(null)

  useEffect(() => {
    // What was pressed may be gone: the focus goes where the outcome is said, and stays where somebody has begun something else.
    if (document.activeElement !== document.body) return
    // The focus reads it out: not the region as well.
    place.current?.setAttribute('aria-live', 'off')
    place.current?.focus()
  }, [])
  useEffect(() => {
    // Stays for as long as it is pointed at or focused (WCAG 2.2 §2.2.1).
    if (isHeld) return
    const timer = setTimeout(() => close(id), undo ? undoMs : saidMs)
    return () => clearTimeout(timer)
  }, [isHeld])

  async function takeBack(): Promise<void> {
    setBusy(true)
    const outcome = await undo?.()
    close(id)
    toast(outcome)
  }
  /** Closes it, and gives the focus back if it is here. */
  function dismiss(): void {
    const { current } = before
    const next = current instanceof HTMLElement && current.isConnected ? current : document.querySelector('main h1')
    if (place.current?.contains(document.activeElement) && next instanceof HTMLElement)
      next.focus({ preventScroll: true })
    close(id)
  }
  return (
    <fieldset
      ref={place}
      class="toast"
      tabIndex={-1}
      aria-labelledby={said}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocusCapture={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget as Node | null)) before.current = relatedTarget
        setFocus(true)
      }}
      onBlurCapture={() => setFocus(false)}
      onKeyDown={({ key }) => key === 'Escape' && dismiss()}
    >
      <p id={said}>{text}</p>
      {undo && (
        <Button busy={busy} onClick={takeBack}>
          {words.undo}
        </Button>
      )}
      <Button look="link" onClick={dismiss}>
        {words.dismiss}
      </Button>
    </fieldset>
  )
}
