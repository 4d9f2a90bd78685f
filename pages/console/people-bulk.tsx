import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { Outcome } from '../kit/said.tsx'
import { toast } from '../kit/toast.tsx'
import { site } from '../site.ts'
import { fill } from '../texts.ts'
import { Field } from './change.tsx'
import { useMe } from './me.tsx'
import { Names, Told } from './people-bulk-told.tsx'
import { type Act, closeReport, isWatched, runFor, useRun } from './people-run.ts'
import { Running, reportInShort } from './people-running.tsx'
import { SessionsThatEnd } from './people-sessions.tsx'
import type { Person } from './person-name.ts'
import { words } from './texts.ts'

type Props = {
  /** Who is chosen. */
  people: readonly Person[]
  /** After a change, whatever came of it. */
  changed(): Promise<void>
  /** Chooses nobody. */
  clear(): void
  /** Stands beside the number. */
  children?: ComponentChildren
}

/** Locks the chosen people, gives or takes a role, or sends them a password reset: one after the other, and says for each what came of it. */
export function Bulk({ people, changed, clear, children }: Props) {
  const [act, setAct] = useState<Act | null>(null)
  const { progress, report } = useRun(true)
  const me = useMe()
  const text = words().people.bulk
  const place = useRef<HTMLDivElement>(null)

  const bar = useRef<HTMLDivElement>(null)
  const asked = useRef<Act | null>(null)
  const countBefore = useRef(0)

  useEffect(() => {
    if (report !== null) place.current?.focus()
  }, [report])
  // A question that was not answered gives the focus back to its button.
  useLayoutEffect(() => {
    if (act === null && asked.current !== null) {
      bar.current?.querySelectorAll('button')[acts().indexOf(asked.current)]?.focus()
    }
    asked.current = act
  }, [act])
  // What was pressed to choose all or nobody is gone.
  useEffect(() => {
    const isLost = countBefore.current > 0 && document.activeElement === document.body
    countBefore.current = people.length
    if (isLost) place.current?.focus({ preventScroll: true })
  }, [people.length])

  // One that was begun before the page was left may end here.
  const wasRunning = useRef(progress !== null)
  useEffect(() => {
    if (wasRunning.current && progress === null) void changed()
    wasRunning.current = progress !== null
  }, [progress === null])

  const hasBegun = useRef(false)
  async function run(what: Act, role: string, targets: readonly Person[]): Promise<void> {
    hasBegun.current = true
    setAct(null)
    const done = await runFor(what, role, targets, me.username)
    if (done !== null && !isWatched()) toast(reportInShort(done))
  }

  if (progress !== null) return <Running progress={progress} takesFocus={hasBegun.current} />
  if (act !== null && people.length > 0) {
    return <Question act={act} people={people} close={() => setAct(null)} run={(role) => void run(act, role, people)} />
  }
  return (
    <>
      <Outcome place={place}>{report && <Told report={report} again={run} close={closeReport} />}</Outcome>
      {people.length > 0 && (
        <section class="bulk" aria-label={text.title}>
          <div class="chips">
            <p role="status">{fill(text.count, { count: people.length })}</p>
            {children}
          </div>
          <div ref={bar} class="buttons">
            {acts().map((one) => (
              <Button key={one} look={lookOf(one)} onClick={() => setAct(one)}>
                {text.acts[one].label}
              </Button>
            ))}
            <Button look="link" onClick={clear}>
              {text.end}
            </Button>
          </div>
          {!site.mail && <p class="hint">{text.noMail}</p>}
        </section>
      )}
    </>
  )
}

/** Nothing is sent where there is no mail. */
const acts = (): readonly Act[] => ['lock', 'unlock', 'give', 'take', ...(site.mail ? (['reset'] as const) : [])]

const lookOf = (act: Act) => (act === 'lock' || act === 'take' ? 'danger' : 'quiet')

type QuestionProps = { act: Act; people: readonly Person[]; close(): void; run(role: string): void }

/** Names the people and what happens to them. */
function Question({ act, people, close, run }: QuestionProps) {
  const held = [...new Set(people.flatMap(({ roles }) => roles))].sort((one, other) =>
    one.localeCompare(other, document.documentElement.lang),
  )
  const [role, setRole] = useState(act === 'take' ? (held[0] ?? '') : '')
  const text = words().people.bulk
  const isReady = (act !== 'give' && act !== 'take') || role.trim() !== ''

  return (
    <Form class="bulk" onSubmit={() => isReady && run(role.trim())}>
      <QuestionPanel
        question={text.acts[act].question}
        body={
          <>
            <p>{fill(text.count, { count: people.length })}</p>
            <Names people={people} />
            <p>{text.acts[act].body}</p>
            {act === 'lock' && <SessionsThatEnd people={people} />}
          </>
        }
        close={close}
      >
        {act === 'give' && (
          <Field label={text.acts.give.role} name="role-to-give" value={role} onInput={setRole} required />
        )}
        {act === 'take' && (
          <Select label={text.acts.take.role} value={role} options={held.map((one) => [one, one])} onChange={setRole} />
        )}
        <div class="buttons">
          <Button type="submit" look={lookOf(act) === 'quiet' ? 'main' : 'danger'} disabled={!isReady}>
            {text.acts[act].label}
          </Button>
          <Button onClick={close}>{words().common.cancel}</Button>
        </div>
      </QuestionPanel>
    </Form>
  )
}
