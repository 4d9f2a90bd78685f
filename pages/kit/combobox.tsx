/** A field that offers what can be chosen while one types (WAI-ARIA combobox with a list). */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { described, Fault } from './field.tsx'
import './record.css'

/** `isNew`: it does not exist yet. Enter alone takes it only where nothing else fits to what was typed. */
export type Choice = { value: string; label: ComponentChildren; detail?: ComponentChildren; isNew?: boolean }

type Props = {
  label: string
  hint?: ComponentChildren
  /** What fits to the text that was typed, best first. */
  choices(typed: string): readonly Choice[]
  choose(value: string): void
  /** Said where nothing fits. Absent: anything may be typed. */
  none?: string
  disabled?: boolean
  /** Of a field that keeps what is typed, as part of a form: Enter takes a choice only after an arrow key. */
  kept?: { name: string; text: string; onInput(text: string): void; fault?: ComponentChildren }
}

export function Combobox({ label, hint, choices, choose, none, disabled, kept }: Props) {
  const id = useId()
  const [passing, setPassing] = useState('')
  const { text: typed, onInput: setTyped } = kept ?? { text: passing, onInput: setPassing }
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const shown = isOpen ? choices(kept ? typed : typed.trim()) : []
  const take = (value: string) => {
    if (!kept) setTyped('')
    setOpen(false)
    setActive(-1)
    choose(value)
  }
  const move = (by: number) => {
    setOpen(true)
    if (shown.length > 0) setActive((active + by + shown.length) % shown.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    // Enter ends the composition of a word there (UI Events §5.7.3).
    if (event.isComposing) return
    const chosen =
      shown[active] ??
      (kept ? undefined : shown.find(({ value, isNew }) => value === typed.trim() && (!isNew || shown.length === 1)))
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(active < 0 ? 0 : -1)
    else if (key === 'Escape' && isOpen) setOpen(false)
    else if (key === 'Enter' && isOpen && chosen) take(chosen.value)
    else return
    event.preventDefault()
  }
  // Stands below a field of a form as with every other one, and above a field whose list is open whenever it has the focus.
  const about = hint && (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  )
  return (
    <div class={kept ? 'field combobox kept' : 'field combobox'}>
      <label for={id}>{label}</label>
      {!kept && about}
      <div class="combobox-box">
        <input
          id={id}
          {...(kept && { name: kept.name, dir: 'auto', spellcheck: false })}
          role="combobox"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 && active < shown.length ? `${id}-${active}` : undefined}
          {...described(id, { fault: kept?.fault, hint })}
          disabled={disabled}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setActive(-1)
            setOpen(true)
          }}
          onFocus={() => setOpen(!kept)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <div
          ref={list}
          class="combobox-list"
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          hidden={shown.length === 0}
          // The field keeps the focus, so that the list does not close before the press ends, or while it is scrolled.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.map(({ value, label: name, detail }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => take(value)}
            >
              <strong>{name}</strong>
              {detail && <span class="quiet">{detail}</span>}
            </div>
          ))}
        </div>
        {/* Over the page like the list: what stands below does not move while somebody presses it. */}
        <p class="combobox-none" role="status">
          {isOpen && shown.length === 0 && none}
        </p>
      </div>
      <Fault id={id}>{kept?.fault}</Fault>
      {kept && about}
    </div>
  )
}
