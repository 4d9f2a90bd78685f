import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice, RetryButton, Skeleton } from '../kit/layout.tsx'
import { texts } from '../texts.ts'
import { type Call, call, type Result } from './api.ts'
import { ProblemNotice } from './problem.tsx'
import { keepShown, shownBefore } from './shown-lists.ts'

/** A record of the API, and the version of it. */
export type Loaded<T> = {
  /** Null until it first arrives. */
  value: T | null
  etag: string | null
  failed: Exclude<Result<T>, { kind: 'ok' }> | null
  reload(): Promise<void>
  /** Takes what a change answered. */
  set(value: T, etag: string | null): void
}

/** Reads a record when the page is shown, and again when `path` or `query` change. */
export function useLoaded<T>(path: string, query: Call['query'] = {}): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'etag' | 'failed'>>({
    value: null,
    etag: null,
    failed: null,
  })
  const key = JSON.stringify([path, query])
  const wanted = useRef(key)
  wanted.current = key

  async function reload(): Promise<void> {
    const result = await call<T>({ method: 'GET', path, query })
    // An answer that comes after the page has asked for something else is of no use.
    if (wanted.current !== key) return
    setState((before) =>
      result.kind === 'ok' ? { value: result.value, etag: result.etag, failed: null } : { ...before, failed: result },
    )
  }

  useEffect(() => {
    void reload()
  }, [key])
  return { ...state, reload, set: (value, etag) => setState({ value, etag, failed: null }) }
}

/** What waits for a record. */
export function Part<T>({ loaded, children }: { loaded: Loaded<T>; children(value: T): ComponentChildren }) {
  if (loaded.value !== null) return <>{children(loaded.value)}</>
  if (loaded.failed === null) return <Skeleton rows={['line', 'field', 'field']} />
  return <NotLoaded failed={loaded.failed} reload={loaded.reload} />
}

type NotLoadedProps = { failed: Exclude<Result<unknown>, { kind: 'ok' }>; reload(): Promise<void> }

/** Says why there is nothing to show, with another try where that may help. */
export function NotLoaded({ failed, reload }: NotLoadedProps) {
  if (failed.kind === 'refused' && failed.problem.status > 0 && failed.problem.status < 500)
    return <ProblemNotice result={failed} />
  return (
    <>
      {failed.kind === 'unreachable' ? <Notice>{texts.unreachable.body}</Notice> : <ProblemNotice result={failed} />}
      <div class="buttons">
        <RetryButton onClick={reload} />
      </div>
    </>
  )
}

/** `looked_at`: in an empty page that goes on, how many records it looked at. */
type Page<T> = { items: T[]; next: string | null; looked_at?: number }

/** Empty pages after which somebody is asked whether to look on. */
const emptyPagesAtMost = 2

export type List<T> = {
  /** Null until the first page arrives. */
  items: T[] | null
  failed: Loaded<Page<T>>['failed']
  hasMore: boolean
  /** How many records it looked at without finding one, when it stopped for that; null: it did not. */
  lookedAt: number | null
  busy: boolean
  more(): Promise<void>
  reload(): Promise<void>
}

type State<T> = Pick<List<T>, 'items' | 'failed' | 'lookedAt'> & { next: string | null }

/** Reads a list page by page; from the start when the filters change. */
export function useList<T>(path: string, query: Call['query'] = {}): List<T> {
  const key = JSON.stringify([path, query])
  const [state, setState] = useState<State<T>>(() => ({ ...shownBefore<T>(key), failed: null, lookedAt: null }))
  const [busy, setBusy] = useState(false)
  const wanted = useRef(key)
  wanted.current = key

  async function read(cursor: string | undefined): Promise<void> {
    setBusy(true)
    let result = await call<Page<T>>({ method: 'GET', path, query: { ...query, cursor } })
    // A filter that lets few records through gives pages without any.
    let lookedAt = 0
    let isStopped = false
    for (let pages = 1; wanted.current === key && result.kind === 'ok'; pages += 1) {
      const { items, next, looked_at = 0 }: Page<T> = result.value
      if (items.length > 0 || next === null) break
      lookedAt += looked_at
      isStopped = pages === emptyPagesAtMost
      if (isStopped) break
      result = await call<Page<T>>({ method: 'GET', path, query: { ...query, cursor: next } })
    }
    if (wanted.current !== key) return
    setBusy(false)
    if (result.kind !== 'ok') return setState((before) => ({ ...before, failed: result }))
    const { items, next } = result.value
    if (cursor === undefined) keepShown(key, { items, next })
    setState((before) => ({
      items: cursor ? [...(before.items ?? []), ...items] : items,
      next,
      failed: null,
      lookedAt: isStopped ? lookedAt + ((cursor && before.lookedAt) || 0) : null,
    }))
  }

  useEffect(() => {
    void read(undefined)
  }, [key])
  return {
    items: state.items,
    failed: state.failed,
    hasMore: state.next !== null,
    lookedAt: state.lookedAt,
    busy,
    more: () => read(state.next ?? undefined),
    reload: () => read(undefined),
  }
}
