/** Why something failed: in words, and for a refusal as the catalogue of errors says it. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { outcomeOf } from '../../src/audit/kinds.ts'
import type { Entry } from './activity-entry.ts'
import { call } from './api.ts'
import { InEnglish } from './problem.tsx'
import { useRedrawn } from './redrawn.ts'
import { words } from './texts.ts'

type Explanation = { rule: string; id: string; what: string }

/** What each rule refuses, for as long as the window is open. */
const known = new Map<string, string>()
const asked = new Set<string>()
const listeners = new Set<() => void>()

/** Reads what the refusals among the entries mean, each number once. */
export function useMeanings(entries: readonly Entry[]): void {
  useRedrawn(listeners)
  useEffect(() => {
    for (const { kind, details } of entries) {
      const { id } = details
      if (kind !== 'refusal' || typeof id !== 'string' || asked.has(id)) continue
      asked.add(id)
      void read(id)
    }
  }, [entries])
}

async function read(id: string): Promise<void> {
  const path = `/explain/${encodeURIComponent(id)}`
  const result = await call<{ items: Explanation[] }>({ method: 'GET', path }, { isShown: false })
  if (result.kind === 'ok') for (const { rule, what } of result.value.items) known.set(rule, what)
  // Another page that mentions it asks again.
  else asked.delete(id)
  for (const listener of listeners) listener()
}

/** Undefined: nothing failed, or the entry does not say why. */
export function reasonOf({ kind, details: { reason, id } }: Entry): ComponentChildren {
  if (outcomeOf(kind) !== 'failed' || typeof reason !== 'string') return undefined
  const inWords: Readonly<Record<string, string>> = words().activity.reasons
  if (kind !== 'refusal') return inWords[reason] ?? <InEnglish>{reason.replaceAll('_', ' ')}</InEnglish>
  return (
    <>
      <InEnglish>{known.get(reason) ?? reason.replaceAll('_', ' ')}</InEnglish>
      {typeof id === 'string' && <code> {id}</code>}
    </>
  )
}
