/** What the trail says of itself about events that it does not tell of. */
import type { StoredAuditEntry } from './entry.ts'

export type Missed = {
  /** More came than there was room for. */
  readonly tooMany: number
  /** The database did not take them. */
  readonly unwritable: number
  /** Entries that tell of their event in part. */
  readonly unformatted: number
}

export const nothingMissed: Missed = { tooMany: 0, unwritable: 0, unformatted: 0 }

/** `missed` and what an entry adds to it. */
export function addMissed(missed: Missed, { kind, details }: Pick<StoredAuditEntry, 'kind' | 'details'>): Missed {
  if (details.includes('"unformatted":true')) return { ...missed, unformatted: missed.unformatted + 1 }
  if (kind !== 'not_recorded') return missed
  const count = Number(/"count":(\d{1,15})\b/.exec(details)?.[1] ?? 0)
  const name = details.includes('"reason":"unwritable"') ? 'unwritable' : 'tooMany'
  return { ...missed, [name]: missed[name] + count }
}

/** One sentence; empty when the trail tells of everything. */
export function missedText({ tooMany, unwritable, unformatted }: Missed): string {
  const parts = [
    [tooMany, 'were too many to be recorded'],
    [unwritable, 'could not be written'],
    [unformatted, 'are recorded in part'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return told.length === 0 ? '' : `Of the events, ${told.join(', ')}.`
}
