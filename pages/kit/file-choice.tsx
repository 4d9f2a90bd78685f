import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { described } from './field.tsx'
import './file-choice.css'

type Props = {
  /** Of the input; the button has `ID-choose`. */
  id: string
  /** What the file is for. */
  label: string
  /** `drop`: that it can be dropped here. */
  words: { choose: string; drop: string }
  accept: string
  /** The name of the chosen file; null: none was chosen since the page was loaded. */
  name: string | null
  fault?: ComponentChildren
  hint?: ComponentChildren
  choose(file: File): unknown
}

/** The id of the button, which takes the focus. */
export const chooseButtonOf = (id: string): string => `${id}-choose`

/** Chooses a file of the device: by a button, or dropped here. The input of the browser speaks another language than the page. */
export function FileChoice({ id, label, words, accept, name, fault, hint, choose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  // Where it cannot be pressed, nothing can be dropped either.
  const isFree = (place: HTMLFieldSetElement) => !place.matches(':disabled')
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (file !== undefined) void choose(file)
  }
  return (
    <fieldset
      class={isOver ? 'file-choice is-over' : 'file-choice'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(isFree(event.currentTarget))
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (isFree(event.currentTarget)) take(event.dataTransfer?.files)
      }}
    >
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <Button
        id={chooseButtonOf(id)}
        aria-label={`${words.choose}: ${label}`}
        aria-describedby={described(id, { fault, hint })['aria-describedby']}
        onClick={() => input.current?.click()}
      >
        {words.choose}
      </Button>
      <span class="quiet">{name === null ? words.drop : <bdi>{name}</bdi>}</span>
    </fieldset>
  )
}
