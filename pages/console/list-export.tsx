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
  const isCancelled = useRef(false)
  useEffect(
    () => () => {
      isCancelled.current = true
    },
    [],
  )

  async function run(): Promise<void> {
    isCancelled.current = false
    setState({ kind: 'working', count: 0 })
    const parts = [new Blob([head])]
    let count = 0
    let failure: Failed | undefined
    const unread = await readPages<T>(path, query, async (all) => {
      if (isCancelled.current) return false
      const items = all.slice(0, rowsAtMost - count)
      const lines = await linesOf(items)
      if (typeof lines !== 'string') {
        failure = lines
        return false
      }
      parts.push(new Blob([lines]))
      count += items.length
      if (!isCancelled.current) setState({ kind: 'working', count })
      return !isCancelled.current && count < rowsAtMost
    })
    const result = unread ?? failure
    if (isCancelled.current) return setState({ kind: 'idle' })
    if (result !== undefined) return setState({ kind: 'failed', result })
    save(new Blob(parts, { type: 'text/csv' }), `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
    setState({ kind: count < rowsAtMost ? 'idle' : 'cut' })
  }

  const cancel = () => {
    isCancelled.current = true
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
