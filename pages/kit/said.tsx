import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from './layout.tsx'

/** Tells on the page what came of a change. */
export type Tell = (text: ComponentChildren) => void

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

  const node = (
    <div ref={place} class="said" tabIndex={-1}>
      {said && <Notice role="status">{said.text}</Notice>}
    </div>
  )
  return [node, (text) => setSaid({ text })]
}
