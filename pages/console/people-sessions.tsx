/** How many sessions a lock of the chosen people ends. */
import { useEffect, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { fill } from '../texts.ts'
import { call } from './api.ts'
import type { Person } from './person-name.ts'
import { words } from './texts.ts'

type Counted = { count: number; exact: boolean }

/** People in one request of the API. */
const peopleAtOnce = 100
/** Requests that are on their way at once. */
const requestsAtOnce = 4

/** The line has its place before the number is there, so that no button moves under a pointer. */
export function SessionsThatEnd({ people }: { people: readonly Person[] }) {
  const sessions = useSessions(people)
  const text = words().people.bulk
  return (
    <p role="status">
      {sessions === null
        ? '\u00a0'
        : fill(sessions.exact ? text.ends : text.endsAtLeast, { count: numberInWords(sessions.count) })}
    </p>
  )
}

/**
 * Counts part by part, and hands on what was found so far. `exact` false: there are more, or not everybody was counted yet.
 * Null: nothing is known.
 */
function useSessions(people: readonly Person[]): Counted | null {
  const [counted, setCounted] = useState<Counted | null>(null)
  // Who is locked has no session in force.
  const key = people.flatMap(({ disabled, id }) => (disabled ? [] : [id])).join(' ')
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const ids = key === '' ? [] : key.split(' ')
      const parts = Array.from({ length: Math.ceil(ids.length / peopleAtOnce) }, (_, at) =>
        ids.slice(at * peopleAtOnce, (at + 1) * peopleAtOnce),
      )
      let sum: Counted = { count: 0, exact: true }
      for (let at = 0; at < parts.length; at += requestsAtOnce) {
        const found = await Promise.all(parts.slice(at, at + requestsAtOnce).map(countOf))
        if (isGone) return
        const known = found.filter((one) => one !== null)
        // What cannot be read now is left out.
        if (known.length === 0) return
        sum = {
          count: known.reduce((count, one) => count + one.count, sum.count),
          exact: sum.exact && known.length === found.length && known.every(({ exact }) => exact),
        }
        const isEnd = at + requestsAtOnce >= parts.length
        setCounted({ count: sum.count, exact: sum.exact && isEnd })
      }
      if (parts.length === 0) setCounted(sum)
    }
    void read()
    return () => {
      isGone = true
    }
  }, [key])
  return counted
}

async function countOf(ids: readonly string[]): Promise<Counted | null> {
  const query = { user_id: ids }
  const result = await call<{ sessions: Counted }>(
    { method: 'GET', path: '/session-counts', query },
    { isShown: false },
  )
  return result.kind === 'ok' ? result.value.sessions : null
}
