/** Counts what becomes of the records of an import. */
import type { ImportCounts } from '../storage/port/imports.ts'
import type { Item } from './source.ts'

export const none: ImportCounts = { read: 0, created: 0, updated: 0, skipped: 0, failed: 0 }

export function count(counts: ImportCounts, item: Item): ImportCounts {
  const outcome =
    'fault' in item
      ? 'failed'
      : 'done' in item
        ? item.done
        : item.entry.person.before === undefined
          ? 'created'
          : 'updated'
  if (outcome === 'noted') return counts
  return { ...counts, read: counts.read + 1, [outcome]: counts[outcome] + 1 }
}

/** Returns how many of the records between were stored already, or conflicted. */
export function conflictsIn(before: ImportCounts, after: ImportCounts): number {
  const of = ({ updated, skipped, failed }: ImportCounts) => updated + skipped + failed
  return of(after) - of(before)
}
