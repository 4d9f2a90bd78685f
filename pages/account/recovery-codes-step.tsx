import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { words } from './texts.ts'
import { codesAreGone, codesAreKept, codesAreShown, type LostCodes } from './unsaved-codes.ts'

type Props = {
  codes: readonly string[]
  /** Whose they are, for a page that is left before they are kept. */
  of: LostCodes
  /** The page shows them in place of something else: the words about them take the focus. */
  takesFocus?: boolean
  onDone(): void
}

/** New recovery codes, which the person says to have saved before the page goes on. */
export function RecoveryCodesStep({ codes, of, takesFocus, onDone }: Props) {
  const [isSaved, setSaved] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const text = words().recoveryCodes

  useEffect(() => {
    codesAreShown(of)
    if (takesFocus) place.current?.focus()
    return codesAreGone
  }, [])

  function goOn() {
    if (isSaved) return onDone()
    setMissing(true)
    place.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={place} class="said codes-step" tabIndex={-1}>
      {takesFocus && (
        <p>
          <strong>{text.title}</strong> {text.lead}
        </p>
      )}
      <RecoveryCodes codes={codes} onKept={codesAreKept} />
      <Check
        checked={isSaved}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? id : undefined}
        onChange={(checked) => {
          if (checked) codesAreKept()
          else codesAreShown(of)
          setSaved(checked)
          setMissing(false)
        }}
      >
        {text.saved}
      </Check>
      {isMissing && (
        <p id={id} class="fault" role="alert">
          {text.notSaved}
        </p>
      )}
      <div class="actions answer">
        <Button look="main" onClick={goOn}>
          {text.submit}
        </Button>
      </div>
    </div>
  )
}
