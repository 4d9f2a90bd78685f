import { useEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { fill } from '../texts.ts'
import type { Call } from './api.ts'
import { ProblemNotice } from './problem.tsx'
import { type Failed, readPages } from './read-pages.ts'
import { save } from './save-file.ts'
import { words } from './texts.ts'

/** A browser holds the file in memory until it is saved. */
const rowsAtMost = 100_000

export type Format<T> = {
  /** On the button. */
  label: string
  /** The end of the name of the file. */
  extension: string
  /** The media type of the file. */
  type: string
  head?: string
  /** Returns the lines of a page, or why there are none. */
  linesOf(items: readonly T[]): string | Promise<string | Failed>
}

type Props<T> = {
  /** Of the list, in the API. */
  path: string
  query: Call['query']
  /** The beginning of the name of the file. */
  name: string
  formats: readonly Format<T>[]
}

type State =
  | { kind: 'idle' }
  | { kind: 'working'; count: number; extension: string }
  | { kind: 'done'; count: number; isCut: boolean }
  | { kind: 'failed'; result: Failed }

/** A table for spreadsheets. */
export const asCsv = <T,>(head: string, linesOf: Format<T>['linesOf']): Format<T> => ({
  ...{ label: words().activity.exportCsv, extension: 'csv', type: 'text/csv' },
  ...{ head, linesOf },
})

/** Downloads everything that the filters let through, page by page, up to a limit and until it is cancelled. */
export function ListExport<T>({ path, query, name, formats }: Props<T>) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  /** Stops the run under way. Each has its own: one that was cancelled does not go on with the next. */
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  async function run({ extension, type, head = '', linesOf }: Format<T>): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    stopping.current = controller
    setState({ kind: 'working', count: 0, extension })
    const parts = [new Blob([head])]
    let count = 0
    let isCut = false
    let failure: Failed | undefined
    const unread = await readPages<T>(path, query, async (all, hasMore) => {
      if (signal.aborted) return false
      const items = all.slice(0, rowsAtMost - count)
      const lines = await linesOf(items)
      if (typeof lines !== 'string') {
        failure = lines
        return false
      }
      parts.push(new Blob([lines]))
      count += items.length
      isCut = count === rowsAtMost && (hasMore || items.length < all.length)
      if (!signal.aborted) setState({ kind: 'working', count, extension })
      return !signal.aborted && count < rowsAtMost
    })
    const result = unread ?? failure
    if (signal.aborted) return
    if (result !== undefined) return setState({ kind: 'failed', result })
    save(new Blob(parts, { type }), `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`)
    setState({ kind: 'done', count, isCut })
  }

  const cancel = () => {
    stopping.current?.abort()
    setState({ kind: 'idle' })
  }
  return (
    <>
      {state.kind === 'failed' &&
        (state.result.kind === 'unreachable' ? (
          <Notice>{words().activity.exportFailed}</Notice>
        ) : (
          <ProblemNotice result={state.result} />
        ))}
      <span class="quiet" role="status">
        {saidOf(state)}
      </span>
      {formats.map((format) => {
        const isWorking = state.kind === 'working' && state.extension === format.extension
        // The button that was pressed is the one that cancels, and keeps the focus.
        if (state.kind === 'working' && !isWorking) return null
        return (
          <Button key={format.extension} onClick={isWorking ? cancel : () => run(format)}>
            {isWorking ? words().common.cancel : format.label}
          </Button>
        )
      })}
    </>
  )
}

function saidOf(state: State): string | undefined {
  if (state.kind === 'working') return fill(words().activity.exporting, { count: numberInWords(state.count) })
  if (state.kind !== 'done') return undefined
  const { count, isCut } = state
  if (isCut) return fill(words().common.exportCut, { count: numberInWords(count) })
  return fill(words().activity.exported, { count })
}
