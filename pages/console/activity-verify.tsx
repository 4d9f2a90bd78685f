import { useEffect, useRef, useState } from 'preact/hooks'
import { numberInWords, When } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { fill, fillNodes } from '../texts.ts'
import { openStream, type Result } from './api.ts'
import { eventsOf } from './events.ts'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

type Place = {
  kind: 'changed' | 'removed' | 'moved' | 'forged'
  entry?: { writer: string; seq: number; at: string | null }
  checkpoint?: number
  what: string
}
type Verification = {
  intact: boolean
  entries: number
  checkpoints: number
  signed_to: string | null
  not_signed: number
  missed: { too_many: number; unwritable: number; unformatted: number }
  acknowledged: (Place & { at: string; actor: string; reason: string })[]
  fault?: Place
}
type State =
  | { kind: 'idle' }
  | { kind: 'working'; count: number }
  | { kind: 'done'; found: Verification }
  | { kind: 'failed'; result: Exclude<Result<unknown>, { kind: 'ok' }> }

/** Proves that the trail is intact, with progress. */
export function Verify() {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const stopping = useRef<AbortController | null>(null)
  const text = words().activity
  useEffect(() => () => stopping.current?.abort(), [])

  async function run(): Promise<void> {
    const controller = new AbortController()
    stopping.current = controller
    setState({ kind: 'working', count: 0 })
    const result = await verify((count) => setState({ kind: 'working', count }), controller.signal)
    if (controller.signal.aborted) setState({ kind: 'idle' })
    else setState(result.kind === 'ok' ? { kind: 'done', found: result.value } : { kind: 'failed', result })
  }

  return (
    <>
      <p class="quiet">{text.verifyLead}</p>
      <div class="buttons">
        {state.kind === 'working' ? (
          <Button onClick={() => stopping.current?.abort()}>{words().common.cancel}</Button>
        ) : (
          <Button onClick={() => void run()}>{text.verify}</Button>
        )}
      </div>
      <p class="quiet progress" role="status">
        {state.kind === 'working' && fill(text.verifying, { count: numberInWords(state.count) })}
      </p>
      {state.kind === 'done' && <Found found={state.found} />}
      {state.kind === 'failed' &&
        (state.result.kind === 'unreachable' ? (
          <Notice>{text.verifyFailed}</Notice>
        ) : (
          <ProblemNotice result={state.result} />
        ))}
    </>
  )
}

async function verify(progress: (count: number) => void, signal: AbortSignal): Promise<Result<Verification>> {
  const answer = await openStream({ method: 'POST', path: '/audit/verify' }, {}, signal)
  if (!(answer instanceof Response)) return answer
  try {
    for await (const { event, data } of eventsOf(answer.body as ReadableStream<Uint8Array>)) {
      if (event === 'result') return { kind: 'ok', value: JSON.parse(data) as Verification, etag: null }
      if (event === 'progress') progress((JSON.parse(data) as { entries: number }).entries)
    }
  } catch {
    // The connection was lost.
  }
  return { kind: 'unreachable' }
}

function Found({ found }: { found: Verification }) {
  const {
    intact,
    entries,
    checkpoints,
    signed_to: signedTo,
    not_signed: notSigned,
    missed,
    acknowledged,
    fault,
  } = found
  const text = words().activity
  const lost = missed.too_many + missed.unwritable
  const count = numberInWords
  return (
    <Notice role={intact ? 'status' : 'alert'}>
      <p>
        <strong>{intact ? text.intact : text.notIntact}</strong>
      </p>
      {fault && <p>{inWords(fault)}</p>}
      <p>{intact ? fill(text.checked, { count: entries }) : fill(text.checkedBefore, { count: count(entries) })}</p>
      {intact && signedTo !== null && (
        <p>
          {fillNodes(text.signed, { count: count(checkpoints), when: <When iso={signedTo} /> })}{' '}
          {notSigned > 0 && fill(text.notSigned, { count: count(notSigned) })}
        </p>
      )}
      {intact && signedTo === null && <p>{text.neverSigned}</p>}
      {lost > 0 && <p>{fill(text.missed, { count: count(lost) })}</p>}
      {acknowledged.length > 0 && (
        <>
          <p>{text.acknowledged}</p>
          <ul class="plain">
            {acknowledged.map((one, index) => (
              <li key={index}>
                {inWords(one)} <bdi>{one.actor}</bdi>: <bdi>{one.reason}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {!intact && <p>{text.whatNow}</p>}
    </Notice>
  )
}

function inWords({ kind, entry, checkpoint = 0, what }: Place) {
  const { faults } = words().activity
  if (entry === undefined) return fill(faults.checkpoint, { number: String(checkpoint), what })
  return fillNodes(faults[kind], {
    number: String(entry.seq),
    writer: <code dir="ltr">{entry.writer}</code>,
    when: entry.at === null ? '–' : <When iso={entry.at} />,
    what,
  })
}
