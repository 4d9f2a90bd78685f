import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/list.tsx'
import { askBeforeLeaving, go } from './router.tsx'
import { hasEnded } from './session.ts'
import { words } from './texts.ts'
import { unsavedFor, useUnsaved } from './unsaved.ts'

type Props = {
  /** Whether something is typed and not saved. */
  isChanged: boolean
  /** Pages below this address share what is typed. */
  within: string
  /** Forgets what is typed. */
  discard(): void
}

/** Has somebody asked before a page is left on which something is typed and not saved. */
export function Leaving({ isChanged, within, discard }: Props) {
  useUnsaved({ within, isChanged: () => isChanged, discard })
  return null
}

/** Asks before what is typed is lost by a link, the finder, Back or the end of the window. Stands once in the console. */
export function LeavingQuestion() {
  const box = useRef<HTMLDialogElement>(null)
  const [to, setTo] = useState<string | null>(null)
  const text = words().leaving

  useEffect(() => {
    let here = location.pathname + location.search
    askBeforeLeaving((isAsked) => {
      const next = location.pathname + location.search
      if (!isAsked || unsavedFor(location.pathname).length === 0) {
        here = next
        return true
      }
      history.pushState(null, '', here)
      setTo(next)
      return false
    })
    const onUnload = (event: BeforeUnloadEvent) => {
      // Signing in again keeps what was typed.
      if (!hasEnded() && unsavedFor().length > 0) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      askBeforeLeaving(null)
      removeEventListener('beforeunload', onUnload)
    }
  }, [])

  useEffect(() => {
    if (to !== null) box.current?.showModal()
  }, [to])

  function leave(): void {
    const next = to
    box.current?.close()
    if (next === null) return
    for (const form of unsavedFor(new URL(next, location.href).pathname)) form.discard()
    go(next)
  }

  return (
    <Dialog boxRef={box} id="leaving" title={text.title} onClose={() => setTo(null)}>
      <p>{text.body}</p>
      <div class="buttons">
        <Button look="main" onClick={() => box.current?.close()}>
          {text.stay}
        </Button>
        <Button onClick={leave}>{text.leave}</Button>
      </div>
    </Dialog>
  )
}
