import { type ComponentChildren, type RefObject, toChildArray } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Notice } from './layout.tsx'

/** Tells on the page what came of a change. */
export type Tell = (text: ComponentChildren) => void

type OutcomeProps = { place: RefObject<HTMLDivElement | null>; children: ComponentChildren }

/**
 * Where it is told what came of a change. It takes the focus, and is named by what it tells: a screen reader says that then.
 * With nothing to tell it is no group.
 */
export function Outcome({ place, children }: OutcomeProps) {
  const id = useId()
  const named = toChildArray(children).length > 0 && ({ role: 'group', 'aria-labelledby': id } as const)
  return (
    <div ref={place} id={id} class="said" tabIndex={-1} {...named}>
      {children}
    </div>
  )
}

/**
 * Says what succeeded, and takes the focus there: what was pressed may be gone. The focus stays where the person has begun
 * something else meanwhile.
 */
export function useSaid(first: string | null = null): [ComponentChildren, Tell] {
  const [said, setSaid] = useState<{ text: ComponentChildren } | null>(first === null ? null : { text: first })
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (said && !document.activeElement?.closest('.asking, main :is(input, select, textarea)')) place.current?.focus()
  }, [said])

  const node = <Outcome place={place}>{said && <Notice role="status">{said.text}</Notice>}</Outcome>
  return [node, (text) => setSaid({ text })]
}
