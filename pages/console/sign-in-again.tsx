import { useState } from 'preact/hooks'
import { Notice } from '../layout.tsx'
import { signInBeside } from './beside.ts'
import { signInHere } from './session.ts'
import { words } from './texts/index.ts'
import { keepTyped } from './typed.ts'

function keepAndSignIn(): void {
  keepTyped()
  void signInHere()
}

/**
 * The session ended: the person signs in again in a window beside this one, which keeps what was typed. Where the browser
 * opens no window, the same is done on this page.
 */
export function SignInAgain() {
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof signInBeside>> | null>(null)
  const text = words().problems
  if (outcome === 'signed-in') return <Notice role="status">{text.signedInAgain}</Notice>
  return (
    <Notice>
      <p>{outcome === null ? text.signedOut : outcome === 'blocked' ? text.windowBlocked : text.windowClosed}</p>
      <p>
        <button type="button" class="link" onClick={() => signInBeside().then(setOutcome)}>
          {text.signIn}
        </button>
      </p>
      {outcome !== null && (
        <>
          <p>
            <button type="button" class="link" onClick={keepAndSignIn}>
              {text.signInHere}
            </button>
          </p>
          <p>{text.signInHereHint}</p>
        </>
      )}
    </Notice>
  )
}
