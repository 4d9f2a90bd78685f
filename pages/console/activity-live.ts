import { useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from './activity-entry.ts'
import { type Call, call, type Result } from './api.ts'
import { follow } from './events.ts'
import type { List } from './loaded.tsx'

/** Entries shown while the page follows: older ones give way. */
export const shownAtMost = 500

type Failed = Exclude<Result<never>, { kind: 'ok' }>

export type Live = {
  /** Newest first. */
  entries: readonly Entry[]
  /** How many came while the visitor read further below. */
  held: number
  /** More came while nobody followed than one page has, or that could not be read. `release` reads the list anew. */
  isBehind: boolean
  state: 'connecting' | 'open' | 'waiting'
  failed: Failed | null
  /** Shows those that are held. */
  release(): void
}

type Query = Record<string, unknown>

const none: readonly Entry[] = []

/**
 * Follows what is recorded while the page is open and seen. `isAway`: whether the visitor reads what a new row would move; it is held
 * then, and counted.
 */
export function useLive(query: Query, isOn: boolean, list: List<Entry>, isAway: () => boolean): Live {
  const [entries, setEntries] = useState(none)
  const [held, setHeld] = useState(none)
  const [isBehind, setBehind] = useState(false)
  const [state, setState] = useState<Live['state']>('connecting')
  const [failed, setFailed] = useState<Failed | null>(null)
  const isSeen = useSeen()
  const away = useRef(isAway)
  away.current = isAway
  const known = useRef(none)
  known.current = [...held, ...entries, ...(list.items ?? none)]
  /** The filters that were followed already: the list of others has just been read. */
  const begun = useRef('')
  const behind = useRef(false)
  behind.current = isBehind
  const { since: _since, until: _until, ...members } = query
  const filters = JSON.stringify(query)

  // What has come stays when the page no longer follows.
  useEffect(() => {
    setEntries(none)
    setHeld(none)
    setBehind(false)
  }, [filters])

  useEffect(() => {
    setState('connecting')
    setFailed(null)
    if (!isOn || !isSeen) return
    let isStopped = false
    let isCaughtUp = false
    const take = (came: readonly Entry[]) => {
      const add = (before: readonly Entry[]) => eachOnce([...came, ...before]).slice(0, shownAtMost)
      // Above a gap nothing is shown: it would look like the next entry.
      if (away.current() || behind.current) setHeld(add)
      else setEntries(add)
    }
    /** Adds what was recorded before the stream opened. What is shown stays, with every page that was read. */
    const catchUp = async () => {
      if (begun.current !== filters) {
        begun.current = filters
        return list.reload()
      }
      const came = await readUntil(query, known.current, () => isStopped)
      if (isStopped) return
      if (came === null) setBehind(true)
      else if (came.length > 0) take(came)
    }
    const stop = follow(
      { method: 'GET', path: '/audit/stream', query: members as NonNullable<Parameters<typeof follow>[0]['query']> },
      {
        opened() {
          setState('open')
          setFailed(null)
          if (!isCaughtUp) void catchUp()
          isCaughtUp = true
        },
        message: (data) => take([JSON.parse(data) as Entry]),
        waiting: () => setState('waiting'),
        refused: setFailed,
      },
    )
    return () => {
      isStopped = true
      stop()
    }
  }, [filters, isOn, isSeen])

  return {
    entries,
    held: held.length,
    isBehind,
    state,
    failed,
    release() {
      setEntries((before) => (isBehind ? none : eachOnce([...held, ...before]).slice(0, shownAtMost)))
      setHeld(none)
      setBehind(false)
      if (isBehind) void list.reload()
    },
  }
}

export const eachOnce = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.hash, entry])).values(),
]

/** As many as the API gives at once. */
const pageRows = 50

const pagesAtMost = 3

/** Returns what is newer than the entries that are known, newest first; null if that is more than a page, or not read. */
async function readUntil(query: Query, known: readonly Entry[], isStopped: () => boolean): Promise<Entry[] | null> {
  const hashes = new Set(known.map(({ hash }) => hash))
  const came: Entry[] = []
  // A filter that lets few entries through gives pages without any.
  let cursor: string | undefined
  for (let page = 0; page < pagesAtMost && came.length < pageRows && !isStopped(); page += 1) {
    const asked = { ...query, limit: pageRows, cursor } as NonNullable<Call['query']>
    const result = await call<{ items: Entry[]; next: string | null }>(
      { method: 'GET', path: '/audit', query: asked },
      { isShown: false },
    )
    if (result.kind !== 'ok') return null
    const { items, next } = result.value
    came.push(...items.filter(({ hash }) => !hashes.has(hash)))
    if (next === null || items.some(({ hash }) => hashes.has(hash))) return came
    cursor = next
  }
  return null
}

/** Whether the window is seen: nobody follows in a tab in the background. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const update = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isSeen
}
