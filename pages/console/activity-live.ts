import { useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from './activity-entry.ts'
import type { Result } from './api.ts'
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
  const [state, setState] = useState<Live['state']>('connecting')
  const [failed, setFailed] = useState<Failed | null>(null)
  const isSeen = useSeen()
  const away = useRef(isAway)
  away.current = isAway
  const { since: _since, until: _until, ...members } = query
  const filters = JSON.stringify(query)

  // What has come stays when the page no longer follows.
  useEffect(() => {
    setEntries(none)
    setHeld(none)
  }, [filters])

  useEffect(() => {
    setState('connecting')
    setFailed(null)
    if (!isOn || !isSeen) return
    let isFirst = true
    return follow(
      { method: 'GET', path: '/audit/stream', query: members as NonNullable<Parameters<typeof follow>[0]['query']> },
      {
        opened() {
          setState('open')
          setFailed(null)
          // What was recorded between the list and the stream.
          if (isFirst) void list.reload()
          isFirst = false
        },
        message(data) {
          const add = (before: readonly Entry[]) => [JSON.parse(data) as Entry, ...before].slice(0, shownAtMost)
          if (away.current()) setHeld(add)
          else setEntries(add)
        },
        waiting: () => setState('waiting'),
        refused: setFailed,
      },
    )
  }, [filters, isOn, isSeen])

  return {
    entries,
    held: held.length,
    state,
    failed,
    release() {
      setEntries((before) => [...held, ...before].slice(0, shownAtMost))
      setHeld(none)
    },
  }
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
