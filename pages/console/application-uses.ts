/** What applications are used for, as their list shows it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, type Result } from './api.ts'

/** `tokens`: of the last 30 days. */
export type Use = { client_id: string; last_used: string | null; tokens: number }

/** The API says it of so many at once. */
export const usesAtMost = 100

/** `counted_since`: the first day that anything is counted of; null: nothing is yet. */
type Answer = { items: Use[]; counted_since: string | null }

export const readUses = (ids: readonly string[]): Promise<Result<Answer>> =>
  call({ method: 'GET', path: '/client-usage', query: { client_id: ids } }, { isShown: false })

/** By id; absent: not there yet. Null: it could not be read. */
export type Uses = ReadonlyMap<string, Use | null>

/** Reads what is not known of the applications that are shown, once they are. */
export function useUses(ids: readonly string[]): { uses: Uses; countedSince: string | null } {
  const [uses, setUses] = useState<Uses>(new Map())
  const [countedSince, setCountedSince] = useState<string | null>(null)
  const asked = useRef(new Set<string>())
  useEffect(() => {
    const unknown = ids.filter((id) => !asked.current.has(id))
    for (const id of unknown) asked.current.add(id)
    for (let at = 0; at < unknown.length; at += usesAtMost) void read(unknown.slice(at, at + usesAtMost))
  }, [ids.join(' ')])

  async function read(some: readonly string[]): Promise<void> {
    const result = await readUses(some)
    const found = new Map(result.kind === 'ok' ? result.value.items.map((use) => [use.client_id, use]) : [])
    if (result.kind === 'ok') setCountedSince(result.value.counted_since)
    setUses((before) => new Map([...before, ...some.map((id) => [id, found.get(id) ?? null] as const)]))
  }
  return { uses, countedSince }
}
