import { useEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { fill } from '../texts.ts'
import type { Call } from './api.ts'
import { ProblemNotice } from './problem.tsx'
import { type Failed, readPages } from './read-pages.ts'
import { save } from './save-file.ts'
import { words } from './texts.ts'

/** A browser holds the file in memory until it is saved. */
const rowsAtMost = 100_000

type Props<T> = {
  /** Of the list, in the API. */
  path: string
  query: Call['query']
  /** The beginning of the name of the file. */
  name: string
  head: string
  /** Returns the lines of a page, or why there are none. */
  linesOf(items: readonly T[]): string | Promise<string | Failed>
}

type State = { kind: 'idle' | 'cut' } | { kind: 'working'; count: number } | { kind: 'failed'; result: Failed }

/** Downloads everything that the filters let through, page by page, up to a limit and until it is cancelled. */
export function ListExport<T>({ path, query, name, head, linesOf }: Props<T>) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  /** Stops the run under way. Each has its own: one that was cancelled does not go on with the next. */
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  async function run(): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    stopping.current = controller
    setState({ kind: 'working', count: 0 })
    const parts = [new Blob([head])]
    let count = 0
    let failure: Failed | undefined
    const unread = await readPages<T>(path, query, async (all) => {
      if (signal.aborted) return false
      const items = all.slice(0, rowsAtMost - count)
      const lines = await linesOf(items)
      if (typeof lines !== 'string') {
        failure = lines
        return false
      }
      parts.push(new Blob([lines]))
      count += items.length
      if (!signal.aborted) setState({ kind: 'working', count })
      return !signal.aborted && count < rowsAtMost
    })
    const result = unread ?? failure
    if (signal.aborted) return
    if (result !== undefined) return setState({ kind: 'failed', result })
    save(new Blob(parts, { type: 'text/csv' }), `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
    setState({ kind: count < rowsAtMost ? 'idle' : 'cut' })
  }

  const cancel = () => {
    stopping.current?.abort()
    setState({ kind: 'idle' })
  }
  const isWorking = state.kind === 'working'
  return (
    <>
      {state.kind === 'failed' && <ProblemNotice result={state.result} />}
      <span class="quiet" role="status">
        {isWorking && numberInWords(state.count)}
        {state.kind === 'cut' && fill(words().common.exportCut, { count: numberInWords(rowsAtMost) })}
      </span>
      {/* One button, which keeps the focus. */}
      <Button onClick={isWorking ? cancel : run}>
        {isWorking ? words().common.cancel : words().activity.exportCsv}
      </Button>
    </>
  )
}
