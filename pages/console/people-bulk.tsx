import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { fill } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Field } from './change.tsx'
import { useMe } from './me.tsx'
import { type Act, Names, type Outcome, type Report, Told } from './people-bulk-told.tsx'
import { type Person, pathOf } from './person-name.ts'
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

/** Locks the chosen people, or gives or takes a role: one after the other, and says for each what came of it. */
export function Bulk({ people, changed, clear, children }: Props) {
  const [act, setAct] = useState<Act | null>(null)
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const stopped = useRef(false)
  const me = useMe()
  const text = words().people.bulk
  const place = useRef<HTMLDivElement>(null)

  const stop = useRef<HTMLButtonElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const asked = useRef<Act | null>(null)
  const countBefore = useRef(0)

  useEffect(() => {
    if (report !== null) place.current?.focus()
  }, [report])
  // A question that was not answered gives the focus back to its button.
  useLayoutEffect(() => {
    if (act === null && asked.current !== null) {
      bar.current?.querySelectorAll('button')[acts.indexOf(asked.current)]?.focus()
    }
    asked.current = act
  }, [act])
  // What was pressed to choose all or nobody is gone.
  useEffect(() => {
    const isLost = countBefore.current > 0 && document.activeElement === document.body
    countBefore.current = people.length
    if (isLost) place.current?.focus({ preventScroll: true })
  }, [people.length])

  useEffect(() => {
    if (progress === null) return
    stop.current?.focus()
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [progress === null])

  async function run(what: Act, role: string, targets: readonly Person[]): Promise<void> {
    stopped.current = false
    setAct(null)
    setReport(null)
    const outcomes: Outcome[] = []
    // The operator who uses the console comes last: without the role, nothing more could be done.
    const own = targets.filter(({ username }) => username === me.username)
    const others = targets.filter(({ username }) => username !== me.username)
    const atOnce = what === 'lock' || what === 'unlock' ? locksAtOnce : 1
    const turns = [...turnsOf(others, atOnce), ...turnsOf(own, atOnce)]
    for (const turn of turns) {
      setProgress({ done: outcomes.length, count: targets.length })
      const come = await Promise.all(
        turn.map((person): Outcome | Promise<Outcome> =>
          stopped.current ? { person, kind: 'left' } : applied(what, role, person),
        ),
      )
      outcomes.push(...come)
      // The others would fail likewise.
      if (come.some((one) => one.kind === 'failed' && one.why.kind !== 'refused')) stopped.current = true
    }
    setProgress(null)
    setReport({ act: what, role, outcomes })
    await changed()
  }

  if (progress !== null) {
    return (
      <div class="bulk">
        <p role="status">
          {fill(text.progress, { done: numberInWords(progress.done), count: numberInWords(progress.count) })}
        </p>
        <progress value={progress.done} max={progress.count} aria-label={text.title} />
        <div class="buttons">
          <Button
            buttonRef={stop}
            onClick={() => {
              stopped.current = true
            }}
          >
            {text.stop}
          </Button>
        </div>
      </div>
    )
  }
  if (act !== null && people.length > 0) {
    return <Question act={act} people={people} close={() => setAct(null)} run={(role) => void run(act, role, people)} />
  }
  return (
    <>
      <div ref={place} class="said" tabIndex={-1}>
        {report && <Told report={report} again={run} close={() => setReport(null)} />}
      </div>
      {people.length > 0 && (
        <section class="bulk" aria-label={text.title}>
          <div class="chips">
            <p role="status">{fill(text.count, { count: people.length })}</p>
            {children}
          </div>
          <div ref={bar} class="buttons">
            {acts.map((one) => (
              <Button key={one} look={lookOf(one)} onClick={() => setAct(one)}>
                {text.acts[one].label}
              </Button>
            ))}
            <Button look="link" onClick={clear}>
              {text.end}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}

const acts = ['lock', 'unlock', 'give', 'take'] as const

/** Locks that are on their way at once. A role is a change of what was read before, which is made one by one. */
const locksAtOnce = 4

const turnsOf = (people: readonly Person[], atOnce: number): readonly (readonly Person[])[] =>
  Array.from({ length: Math.ceil(people.length / atOnce) }, (_, at) => people.slice(at * atOnce, (at + 1) * atOnce))

/** Does it for one person. Roles are changed on the version that was read; who changed meanwhile is read again, once. */
async function applied(act: Act, role: string, person: Person): Promise<Outcome> {
  if (act === 'lock' || act === 'unlock') {
    if (act === 'lock' ? person.disabled : person.locked_until === null) return { person, kind: 'already' }
    return told(person, await call({ method: 'POST', path: pathOf(person.id, act), username: person.username }))
  }
  const path = pathOf(person.id, 'roles')
  for (let attempt = 1; ; attempt += 1) {
    const read = await call<string[]>({ method: 'GET', path })
    if (read.kind !== 'ok') return { person, kind: 'failed', why: read }
    const others = read.value.filter((one) => one !== role)
    const next = act === 'give' ? [...others, role] : others
    if (next.length === read.value.length) return { person, kind: 'already' }
    const result = await call({ method: 'PUT', path, body: next, etag: read.etag })
    const isStale = result.kind === 'refused' && result.problem.status === 412
    if (!isStale || attempt > 1) return told(person, result)
  }
}

function told(person: Person, result: Result<unknown>): Outcome {
  return result.kind === 'ok' ? { person, kind: 'done' } : { person, kind: 'failed', why: result }
}

const lookOf = (act: Act) => (act === 'give' || act === 'unlock' ? 'quiet' : 'danger')

type QuestionProps = { act: Act; people: readonly Person[]; close(): void; run(role: string): void }

/** Names the people and what happens to them. */
function Question({ act, people, close, run }: QuestionProps) {
  const held = [...new Set(people.flatMap(({ roles }) => roles))].sort((one, other) =>
    one.localeCompare(other, document.documentElement.lang),
  )
  const [role, setRole] = useState(act === 'take' ? (held[0] ?? '') : '')
  const text = words().people.bulk
  const isReady = act === 'lock' || act === 'unlock' || role.trim() !== ''

  return (
    <Form class="bulk" onSubmit={() => isReady && run(role.trim())}>
      <QuestionPanel
        question={text.acts[act].question}
        body={
          <>
            <p>{fill(text.count, { count: people.length })}</p>
            <Names people={people} />
            <p>{text.acts[act].body}</p>
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
