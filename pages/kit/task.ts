import { useRef, useState } from 'preact/hooks'

type Outcome = { kind: string }
type Done<Result extends Outcome> = Extract<Result, { kind: 'ok' }>
export type Failure<Result extends Outcome> = Exclude<Result, { kind: 'ok' }>

export type Task<Result extends Outcome> = {
  busy: boolean
  /** What came of the last run, unless it succeeded. */
  failed: Failure<Result> | null
  /** Does nothing while another run is under way. */
  run<Own extends Result>(act: () => Promise<Own>, then: (done: Done<Own>) => unknown): Promise<void>
  /** Takes the last failure off the page. */
  clear(): void
}

/** A change that a person asks for. */
export function useTask<Result extends Outcome>(): Task<Result> {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failure<Result> | null>(null)
  const running = useRef(false)

  async function run<Own extends Result>(act: () => Promise<Own>, then: (done: Done<Own>) => unknown): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailed(null)
    const outcome = await act()
    if (outcome.kind === 'ok') await then(outcome as Outcome as Done<Own>)
    else setFailed(outcome as Outcome as Failure<Result>)
    running.current = false
    setBusy(false)
  }
  return { busy, failed, run, clear: () => setFailed(null) }
}
