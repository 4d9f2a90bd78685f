import { useState } from 'preact/hooks'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
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

/** Gives the application another secret. */
export function Rotation({ client, secret: made, changed }: RotationProps) {
  const [overlap, setOverlap] = useState('86400')
  const change = useChange()
  const text = words().applications
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
        changed(record, etag, secret)
      },
    )
  const until = client.previous_secret_expires_at
  return (
    <Section id="secret" title={text.secret}>
      {/* There before the secret: what comes into it is read out. */}
      <div role="status">{made !== undefined && <SecretShown client={{ ...client, client_secret: made }} />}</div>
      {until !== undefined && (
        <p>{fillNodes(text.overlapUntil, { time: <When iso={new Date(until * 1000).toISOString()} /> })}</p>
      )}
      <div class="form">
        <Select
          label={text.overlap}
          value={overlap}
          hint={text.overlapHint}
          options={overlaps.map((one) => [String(one), text.overlaps[one]])}
          onChange={setOverlap}
        />
        {change.failed && <ProblemNotice result={change.failed} />}
        <Button busy={change.busy} onClick={rotate}>
          {text.rotate}
        </Button>
      </div>
    </Section>
  )
}
