import { useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { signInBeside } from './beside.ts'
import { signInHere } from './session.ts'
import { words } from './texts.ts'
import { keepTyped } from './typed.ts'

/**
 * The session ended: the person signs in again in a window beside this one, which keeps what was typed. Where the browser
 * opens no window, the same is done on this page.
 */
export function SignInAgain() {
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof signInBeside>> | null>(null)
  const presses = useRef(0)
  const text = words().problems
  const reasons = {
    blocked: text.windowBlocked,
    closed: text.windowClosed,
    failed: words().signInFailed.other,
  }

  async function onClick() {
    presses.current += 1
    const mine = presses.current
    const result = await signInBeside()
    // Another press took the window over.
    if (mine === presses.current) setOutcome(result)
  }

  function onHere() {
    keepTyped()
    signInHere().catch(() => setOutcome('failed'))
  }

  if (outcome === 'signed-in') return <Notice role="status">{text.signedInAgain}</Notice>
  return (
    <Notice>
      <p>{outcome === null ? text.signedOut : reasons[outcome]}</p>
      <p>
        <Button look="link" onClick={onClick}>
          {text.signIn}
        </Button>
      </p>
      {outcome !== null && (
        <>
          <p>
            <Button look="link" onClick={onHere}>
              {text.signInHere}
            </Button>
          </p>
          <p>{text.signInHereHint}</p>
        </>
      )}
    </Notice>
  )
}
