import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { fill } from '../texts.ts'
import { type Entry, kindInEnglish } from './activity-entry.ts'
import { type Kind, nameOf, readNames } from './activity-names.ts'
import { type Call, call, type Result } from './api.ts'
import { useMe } from './me.tsx'
import { ProblemNotice } from './problem.tsx'
import { csvCell, save } from './save-file.ts'
import { words } from './texts.ts'

type Format = 'csv' | 'jsonl'
type State =
  | { kind: 'idle' }
  | { kind: 'working'; count: number }
  | { kind: 'done'; count: number }
  | { kind: 'failed'; result: Exclude<Result<unknown>, { kind: 'ok' }> }

/** The largest page of the API. */
const PAGE = 500

/** Downloads everything that the filters let through, page by page. */
export function Export({ query }: { query: NonNullable<Call['query']> }) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const isCancelled = useRef(false)
  const me = useMe()
  const text = words().activity
  useEffect(
    () => () => {
      isCancelled.current = true
    },
    [],
  )

  const buttons = useRef<HTMLDivElement>(null)
  const pressed = useRef<Format | null>(null)
  // The buttons stand in for each other: the focus goes along.
  useLayoutEffect(() => {
    if (pressed.current === null || document.activeElement !== document.body) return
    const at = state.kind === 'working' || pressed.current === 'csv' ? 0 : 1
    buttons.current?.querySelectorAll('button')[at]?.focus()
  }, [state.kind])

  async function run(format: Format): Promise<void> {
    isCancelled.current = false
    pressed.current = format
    setState({ kind: 'working', count: 0 })
    const parts: Blob[] = format === 'csv' ? [new Blob([`${columns.join(',')}\r\n`])] : []
    let count = 0
    for (let cursor: string | undefined; ; ) {
      const result: Result<{ items: Entry[]; next: string | null }> = await call(
        { method: 'GET', path: '/audit', query: { ...query, limit: PAGE, cursor } },
        { isShown: false },
      )
      if (isCancelled.current) return setState({ kind: 'idle' })
      if (result.kind !== 'ok') return setState({ kind: 'failed', result })
      const { items, next } = result.value
      if (format === 'csv') await readNames(items, (kind) => me.may(`admin:${kind}s:read`))
      parts.push(new Blob([items.map(format === 'csv' ? csvLine : jsonLine).join('')]))
      count += items.length
      if (isCancelled.current) return setState({ kind: 'idle' })
      setState({ kind: 'working', count })
      if (next === null) break
      cursor = next
    }
    const type = format === 'csv' ? 'text/csv' : 'application/jsonl'
    save(new Blob(parts, { type }), `activity-${new Date().toISOString().slice(0, 10)}.${format}`)
    setState({ kind: 'done', count })
  }

  return (
    <>
      <div ref={buttons} class="buttons">
        {state.kind === 'working' ? (
          <Button
            onClick={() => {
              isCancelled.current = true
            }}
          >
            {words().common.cancel}
          </Button>
        ) : (
          <>
            <Button onClick={() => void run('csv')}>{text.exportCsv}</Button>
            <Button onClick={() => void run('jsonl')}>{text.exportJson}</Button>
          </>
        )}
      </div>
      <p class="quiet progress" role="status">
        {state.kind === 'working' && fill(text.exporting, { count: numberInWords(state.count) })}
        {state.kind === 'done' && fill(text.exported, { count: state.count })}
      </p>
      {state.kind === 'failed' &&
        (state.result.kind === 'unreachable' ? (
          <Notice>{text.exportFailed}</Notice>
        ) : (
          <ProblemNotice result={state.result} />
        ))}
    </>
  )
}

const columns = [
  ...['time', 'event', 'person', 'application', 'address', 'details'],
  ...['kind', 'user_id', 'client_id', 'trace_id', 'writer', 'seq', 'hash'],
]

function csvLine(entry: Entry): string {
  const {
    at,
    kind,
    user_id: userId,
    client_id: clientId,
    address,
    details,
    trace_id: traceId,
    writer,
    seq,
    hash,
  } = entry
  const named = (of: Kind, id: string | null) => (id === null ? '' : (nameOf(of, id) ?? id))
  const cells = [
    ...[at, kindInEnglish(kind), named('user', userId), named('client', clientId), address, JSON.stringify(details)],
    ...[kind, userId, clientId, traceId, writer, String(seq), hash],
  ]
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

const jsonLine = (entry: Entry): string => `${JSON.stringify(entry)}\n`
