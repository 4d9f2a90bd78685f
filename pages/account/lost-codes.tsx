import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Card, Notice } from '../kit/layout.tsx'
import { localUrl } from '../query.ts'
import { RecoveryCodesCard } from './enrolment.tsx'
import { change } from './json.ts'
import { type Task, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { codesAreKept, type LostCodes } from './unsaved-codes.ts'

export type Made = { codes: string[] }

/** Makes new codes. The old ones end. */
export const makeCodes = () => change<Made>('POST', '/Account/Self/recovery-codes', {}, { task: 'recovery' })

type LostProps = { task: Task; show(made: Made): unknown; keep(): void }

/** Says that codes which count cannot be shown any more, because their page was left. */
export function LostCodesNotice({ task, show, keep }: LostProps) {
  const text = words().recoveryCodes
  return (
    <>
      <Notice role="status">{text.lost}</Notice>
      <TaskNotice task={task} />
      <div class="buttons">
        <Button look="main" busy={task.busy} onClick={() => task.run(makeCodes, show)}>
          {text.makeNew}
        </Button>
        <Button
          onClick={() => {
            codesAreKept()
            keep()
          }}
        >
          {text.saved}
        </Button>
      </div>
    </>
  )
}

/** What a sign-in ends with whose codes were lost: it is complete, and leads on. */
export function LostCodesCard({ of }: { of: LostCodes }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const task = useTask()
  if (codes) return <RecoveryCodesCard codes={codes} of={of} />
  return (
    <Card title={words().security.recovery.title}>
      <LostCodesNotice
        task={task}
        show={(made) => setCodes(made.codes)}
        keep={() => location.replace(localUrl(of.returnUrl))}
      />
    </Card>
  )
}
