import type { Entry } from './activity-entry.ts'
import { sentenceOf } from './activity-sentence.ts'

/** Entries that say the same, newest first. `id` stays while newer ones join. */
export type Group = { id: string; day: string; entries: readonly [Entry, ...Entry[]] }

/** Repetitions further apart than this are told one by one. */
const closeMs = 30 * 60_000

/** The day of an ISO time where the visitor is, such as `2030-01-31`. */
export function localDay(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Gathers entries, which stand newest first, that say the same of the same people from the same place on one day, each at most half an
 * hour from the next. Others may stand between them. Groups stand where their newest entry does.
 */
export function groupsOf(entries: readonly Entry[], dayOf: (iso: string) => string = localDay): Group[] {
  const groups: { day: string; entries: [Entry, ...Entry[]] }[] = []
  const open = new Map<string, (typeof groups)[number]>()
  for (const entry of entries) {
    const day = dayOf(entry.at)
    const key = JSON.stringify([sayingOf(entry), day])
    const group = open.get(key)
    const last = group?.entries.at(-1)
    if (group && last && Date.parse(last.at) - Date.parse(entry.at) <= closeMs) group.entries.push(entry)
    else {
      const made: (typeof groups)[number] = { day, entries: [entry] }
      groups.push(made)
      open.set(key, made)
    }
  }
  return groups.map((group) => ({ ...group, id: group.entries.at(-1)?.hash ?? '' }))
}

function sayingOf(entry: Entry): unknown[] {
  const { reason, change } = entry.details
  return [entry.kind, sentenceOf(entry), entry.address, entry.client_id, reason, change]
}
