/** A change of many people that is under way. It outlives the page that began it, and shows itself wherever one goes. */
import { useEffect, useState } from 'preact/hooks'
import { call, type Result } from './api.ts'
import { type Person, pathOf } from './person-name.ts'

export type Act = 'lock' | 'unlock' | 'give' | 'take' | 'reset'
export type Failure = Exclude<Result<unknown>, { kind: 'ok' }>
export type Outcome =
  | { person: Person; kind: 'done' | 'already' | 'left' }
  | { person: Person; kind: 'failed'; why: Failure }
export type Report = { act: Act; role: string; outcomes: readonly Outcome[] }
export type Progress = { act: Act; done: number; count: number }

/** `report`: what came of the last one, until it is closed or another one begins. */
type State = { progress: Progress | null; report: Report | null }

let state: State = { progress: null, report: null }
let isStopped = false
const listeners = new Set<(now: State) => void>()

function set(next: State): void {
  state = next
  for (const listener of listeners) listener(state)
}

const stay = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Whether a page shows the run itself. */
let watching = 0
export const isWatched = (): boolean => watching > 0

/** What is under way, and what came of it. `watches`: the page shows both. */
export function useRun(watches: boolean): State {
  const [shown, setShown] = useState(state)
  useEffect(() => {
    if (watches) watching += 1
    listeners.add(setShown)
    setShown(state)
    return () => {
      if (watches) watching -= 1
      listeners.delete(setShown)
    }
  }, [])
  return shown
}

/** The people who were not begun with are left as they are. */
export function stopRun(): void {
  isStopped = true
}

export const closeReport = (): void => set({ ...state, report: null })

/** Does it for one after the other. `own`: the user name of who does it, who comes last: without the role, nothing more could be done. */
export async function runFor(act: Act, role: string, targets: readonly Person[], own: string): Promise<Report | null> {
  if (state.progress !== null) return null
  isStopped = false
  set({ progress: { act, done: 0, count: targets.length }, report: null })
  // The end of the window would end it.
  addEventListener('beforeunload', stay)
  const outcomes: Outcome[] = []
  const atOnce = act === 'give' || act === 'take' ? 1 : atOnceAtMost
  const isOwn = ({ username }: Person) => username === own
  const others = targets.filter((one) => !isOwn(one))
  for (const turn of [...turnsOf(others, atOnce), ...turnsOf(targets.filter(isOwn), atOnce)]) {
    set({ progress: { act, done: outcomes.length, count: targets.length }, report: null })
    const come = await Promise.all(
      turn.map((person): Outcome | Promise<Outcome> =>
        isStopped ? { person, kind: 'left' } : applied(act, role, person),
      ),
    )
    outcomes.push(...come)
    // The others would fail likewise.
    if (come.some((one) => one.kind === 'failed' && one.why.kind !== 'refused')) isStopped = true
  }
  removeEventListener('beforeunload', stay)
  const report = { act, role, outcomes }
  set({ progress: null, report })
  return report
}

/** What is on its way at once. A role is a change of what was read before, which is made one by one. */
const atOnceAtMost = 4

const turnsOf = (people: readonly Person[], atOnce: number): readonly (readonly Person[])[] =>
  Array.from({ length: Math.ceil(people.length / atOnce) }, (_, at) => people.slice(at * atOnce, (at + 1) * atOnce))

/** Does it for one person. Roles are changed on the version that was read; who changed meanwhile is read again, once. */
async function applied(act: Act, role: string, person: Person): Promise<Outcome> {
  // Another page has commands of its own to show.
  const shown = { isShown: isWatched() }
  if (act === 'lock' || act === 'unlock') {
    if (act === 'lock' ? person.disabled : person.locked_until === null) return { person, kind: 'already' }
    const what = { method: 'POST', path: pathOf(person.id, act), username: person.username } as const
    return told(person, await call(what, shown))
  }
  if (act === 'reset') {
    const what = { method: 'POST', path: pathOf(person.id, 'send-reset'), username: person.username } as const
    return told(person, await call(what, shown))
  }
  const path = pathOf(person.id, 'roles')
  for (let attempt = 1; ; attempt += 1) {
    const read = await call<string[]>({ method: 'GET', path }, shown)
    if (read.kind !== 'ok') return { person, kind: 'failed', why: read }
    const others = read.value.filter((one) => one !== role)
    const next = act === 'give' ? [...others, role] : others
    if (next.length === read.value.length) return { person, kind: 'already' }
    const result = await call({ method: 'PUT', path, body: next, etag: read.etag }, shown)
    const isStale = result.kind === 'refused' && result.problem.status === 412
    if (!isStale || attempt > 1) return told(person, result)
  }
}

function told(person: Person, result: Result<unknown>): Outcome {
  return result.kind === 'ok' ? { person, kind: 'done' } : { person, kind: 'failed', why: result }
}
