import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '#messages'
import { numberInWords } from '../account/when.tsx'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { Notice } from '../kit/layout.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Field } from './change.tsx'
import { useMe } from './me.tsx'
import { type Person, pathOf } from './person-name.ts'
import { ProblemNotice, reasonOf } from './problem.tsx'
import { words } from './texts.ts'

type Act = 'lock' | 'give' | 'take'
type Failure = Exclude<Result<unknown>, { kind: 'ok' }>
type Outcome = { person: Person; kind: 'done' | 'already' | 'left' } | { person: Person; kind: 'failed'; why: Failure }
type Report = { act: Act; role: string; outcomes: readonly Outcome[] }

type Props = {
  /** Who is chosen. */
  people: readonly Person[]
  /** After a change, whatever came of it. */
  changed(): Promise<void>
}

/** Locks the chosen people, or gives or takes a role: one after the other, and says for each what came of it. */
export function Bulk({ people, changed }: Props) {
  const [act, setAct] = useState<Act | null>(null)
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const stopped = useRef(false)
  const me = useMe()
  const text = words().people.bulk
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (report !== null) place.current?.focus()
  }, [report])

  useEffect(() => {
    if (progress === null) return
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
    const ordered = [...targets].sort((a, b) => Number(a.username === me.username) - Number(b.username === me.username))
    for (const [done, person] of ordered.entries()) {
      setProgress({ done, count: ordered.length })
      const outcome: Outcome = stopped.current ? { person, kind: 'left' } : await applied(what, role, person)
      outcomes.push(outcome)
      // The others would fail likewise.
      if (outcome.kind === 'failed' && outcome.why.kind !== 'refused') stopped.current = true
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
      <section class="bulk" aria-label={text.title}>
        <p role="status">{people.length === 0 ? text.hint : fill(text.count, { count: people.length })}</p>
        {people.length > 0 && (
          <div class="buttons">
            {(['lock', 'give', 'take'] as const).map((one) => (
              <Button key={one} look={one === 'give' ? 'quiet' : 'danger'} onClick={() => setAct(one)}>
                {text.acts[one].label}
              </Button>
            ))}
          </div>
        )}
      </section>
    </>
  )
}

/** Does it for one person. Roles are changed on the version that was read; who changed meanwhile is read again, once. */
async function applied(act: Act, role: string, person: Person): Promise<Outcome> {
  if (act === 'lock') {
    if (person.disabled) return { person, kind: 'already' }
    return told(person, await call({ method: 'POST', path: pathOf(person.id, 'lock'), username: person.username }))
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

type QuestionProps = { act: Act; people: readonly Person[]; close(): void; run(role: string): void }

/** Names the people and what happens to them. */
function Question({ act, people, close, run }: QuestionProps) {
  const held = [...new Set(people.flatMap(({ roles }) => roles))].sort((one, other) =>
    one.localeCompare(other, document.documentElement.lang),
  )
  const [role, setRole] = useState(act === 'take' ? (held[0] ?? '') : '')
  const text = words().people.bulk
  const isReady = act === 'lock' || role.trim() !== ''

  return (
    <Form class="bulk" onSubmit={() => isReady && run(role.trim())}>
      <QuestionPanel
        question={text.acts[act].question}
        body={
          <>
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
          <Button type="submit" look={act === 'give' ? 'main' : 'danger'} disabled={!isReady}>
            {text.acts[act].label}
          </Button>
          <Button onClick={close}>{words().common.cancel}</Button>
        </div>
      </QuestionPanel>
    </Form>
  )
}

function Names({ people }: { people: readonly Person[] }) {
  return (
    <ul class="plain">
      {people.map(({ id, username }) => (
        <li key={id}>
          <bdi>{username}</bdi>
        </li>
      ))}
    </ul>
  )
}

type ToldProps = { report: Report; again: (act: Act, role: string, people: readonly Person[]) => void; close(): void }

/** What came of it, for each person. */
function Told({ report: { act, role, outcomes }, again, close }: ToldProps) {
  const text = words().people.bulk
  const which = (kind: Outcome['kind']) => outcomes.filter((one) => one.kind === kind).map(({ person }) => person)
  const failed = outcomes.filter((one) => one.kind === 'failed')
  const left = which('left')
  const counted = (template: Message<'count' | 'role'>, people: readonly Person[]): ComponentChildren =>
    people.length > 0 && (
      <>
        <p>{fillNodes(template, { role: <bdi>{role}</bdi>, count: numberInWords(people.length) })}</p>
        <Names people={people} />
      </>
    )
  const ended = failed.find(({ why }) => why.kind === 'signed-out')
  return (
    <Notice role="status">
      <div class="bulk-told">
        {counted(text.acts[act].done, which('done'))}
        {counted(text.acts[act].already, which('already'))}
        {failed.length > 0 && (
          <>
            <p>{text.acts[act].failed}</p>
            <ul class="plain">
              {failed.map(({ person, why }) => (
                <li key={person.id}>
                  <strong>
                    <bdi>{person.username}</bdi>
                  </strong>
                  {': '}
                  <bdi>{reasonOf(why)}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        {left.length > 0 && (
          <>
            <p>{text.left}</p>
            <Names people={left} />
          </>
        )}
        {ended && <ProblemNotice result={ended.why} />}
        <div class="buttons">
          {failed.length + left.length > 0 && (
            <Button onClick={() => again(act, role, [...failed.map(({ person }) => person), ...left])}>
              {text.again}
            </Button>
          )}
          <Button onClick={close}>{text.close}</Button>
        </div>
      </div>
    </Notice>
  )
}
