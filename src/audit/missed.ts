/** Counts events that the trail lacks or holds only in part, as the trail itself reports them. */
import type { StoredAuditEntry } from './entry.ts'

export type Missed = {
  /** Dropped beyond the limits of the queue. */
  readonly tooMany: number
  /** Rejected by the database. */
  readonly unwritable: number
  /** Entries that could be written only in part. */
  readonly unformatted: number
}

export const nothingMissed: Missed = { tooMany: 0, unwritable: 0, unformatted: 0 }

/** Returns `missed` plus what the entry reports. */
export function addMissed(missed: Missed, { kind, details }: Pick<StoredAuditEntry, 'kind' | 'details'>): Missed {
  if (details.includes('"unformatted":true')) return { ...missed, unformatted: missed.unformatted + 1 }
  if (kind !== 'not_recorded') return missed
  const count = Number(/"count":(\d{1,15})\b/.exec(details)?.[1] ?? 0)
  const name = details.includes('"reason":"unwritable"') ? 'unwritable' : 'tooMany'
  return { ...missed, [name]: missed[name] + count }
}

/** Returns one sentence; empty if nothing is missing. */
export function missedText({ tooMany, unwritable, unformatted }: Missed): string {
  const parts = [
    [tooMany, 'were too many to be recorded'],
    [unwritable, 'could not be written'],
    [unformatted, 'are recorded in part'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return told.length === 0 ? '' : `Of the events, ${told.join(', ')}.`
}
