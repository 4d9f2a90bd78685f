import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/list.tsx'
import { askBeforeLeaving, go } from './router.tsx'
import { hasEnded } from './session.ts'
import { words } from './texts.ts'

type Props = {
  /** Whether something is typed and not saved. */
  isChanged: boolean
  /** Pages below this address share what is typed. */
  within: string
  /** Forgets what is typed. */
  discard(): void
}

/** Asks before a page is left on which something is typed and not saved, by a link, the finder or Back. */
export function Leaving({ isChanged, within, discard }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const [to, setTo] = useState<string | null>(null)
  const text = words().leaving

  useEffect(() => {
    if (!isChanged) return
    let here = location.pathname + location.search
    askBeforeLeaving(() => {
      const next = location.pathname + location.search
      if (location.pathname === within || location.pathname.startsWith(`${within}/`)) {
        here = next
        return true
      }
      history.pushState(null, '', here)
      setTo(next)
      return false
    })
    const onUnload = (event: BeforeUnloadEvent) => {
      // Signing in again keeps what was typed.
      if (!hasEnded()) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      askBeforeLeaving(null)
      removeEventListener('beforeunload', onUnload)
    }
  }, [isChanged, within])

  useEffect(() => {
    if (to !== null && isChanged) box.current?.showModal()
    // Nothing is left to lose, and nobody asks any more.
    if (to !== null && !isChanged) go(to)
  }, [to, isChanged])

  return (
    <Dialog boxRef={box} id="leaving" title={text.title} onClose={() => setTo(null)}>
      <p>{text.body}</p>
      <div class="buttons">
        <Button look="main" onClick={() => box.current?.close()}>
          {text.stay}
        </Button>
        <Button onClick={discard}>{text.leave}</Button>
      </div>
    </Dialog>
  )
}
