import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { SecretShown } from './application-fields.tsx'
import { type Application, pathOf, type WithSecret } from './application-kinds.ts'
import { useChange } from './change.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

const overlaps = [0, 3600, 86_400, 604_800] as const

type RotationProps = {
  client: Application
  /** The one that was made while the application is looked at, on this page or another of its pages. */
  secret: string | undefined
  /** `secret`: the new one, which is not in the record. */
  changed(client: Application, etag: string | null, secret: string | undefined): void
}

/** Gives the application another secret, after a question where one that it may use ends at once. */
export function Rotation({ client, secret: made, changed }: RotationProps) {
  const [overlap, setOverlap] = useState('86400')
  const [isAsking, setAsking] = useState(false)
  const wasAnswered = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const change = useChange()
  const text = words().applications
  useLayoutEffect(() => {
    if (!isAsking && wasAnswered.current) trigger.current?.focus()
    wasAnswered.current = false
  }, [isAsking])
  const close = () => {
    wasAnswered.current = true
    setAsking(false)
  }
  const rotate = () =>
    change.run(
      () =>
        call<WithSecret>({
          method: 'POST',
          path: `${pathOf(client.client_id)}/rotate-secret`,
          body: { overlap_seconds: Number(overlap) },
        }),
      (value, etag) => {
        const { client_secret: secret, ...record } = value
        close()
        changed(record, etag, secret)
      },
    )
  const until = client.previous_secret_expires_at
  const when = until !== undefined && <When iso={new Date(until * 1000).toISOString()} />
  const hasOlder = until !== undefined && until * 1000 > Date.now()
  return (
    <Section id="secret" title={text.secret}>
      {/* There before the secret: what comes into it is read out. */}
      <div role="status">{made !== undefined && <SecretShown client={{ ...client, client_secret: made }} />}</div>
      {when && <p>{fillNodes(text.overlapUntil, { time: when })}</p>}
      <div class="form">
        <Select
          label={text.overlap}
          value={overlap}
          hint={text.overlapHint}
          options={overlaps.map((one) => [String(one), text.overlaps[one]])}
          onChange={(chosen) => {
            setOverlap(chosen)
            setAsking(false)
          }}
        />
        {change.failed && <ProblemNotice result={change.failed} />}
        {isAsking ? (
          <QuestionPanel
            question={text.rotateAsk}
            body={
              <>
                {overlap === '0' && <p>{text.rotateEnds}</p>}
                {hasOlder && <p>{fillNodes(text.rotateEndsOlder, { time: when })}</p>}
              </>
            }
            close={close}
          >
            <div class="buttons">
              <Button look="danger" busy={change.busy} onClick={rotate}>
                {text.rotate}
              </Button>
              <Button onClick={close}>{words().common.cancel}</Button>
            </div>
          </QuestionPanel>
        ) : (
          <Button
            buttonRef={trigger}
            busy={change.busy}
            onClick={() => (overlap === '0' || hasOlder ? setAsking(true) : rotate())}
          >
            {text.rotate}
          </Button>
        )}
      </div>
    </Section>
  )
}
