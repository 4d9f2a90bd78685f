/** Checks whether the audit trail reports missing events itself, and whether retention can follow. `audit verify` proves the rest. */
import { addMissed, missedText, nothingMissed } from '../../audit/missed.ts'
import { type Finding, note, ok, warning } from '../../finding.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { isoTime } from '../../text.ts'

const recentMs = 7 * 24 * 3_600_000
/** At most a few such entries are written per minute. */
const entriesAtMost = 10_000

export async function checkTrail(settings: Settings, storage: Pick<Storage, 'audit'>, nowMs: number) {
  const checked = await Promise.all([checkEvents(storage, nowMs), checkPartitions(storage, settings)])
  return checked.flat()
}

async function checkEvents({ audit }: Pick<Storage, 'audit'>, nowMs: number): Promise<Finding> {
  // Of the chains of refusals alone: a week of a large service has hundreds of millions of other entries.
  const filter = { kind: 'not_recorded', sinceMs: nowMs - recentMs }
  const entries = await audit.newest(filter, entriesAtMost, 'refusals')
  const missed = entries
    .map(({ kind, details }) => ({ kind, details: JSON.stringify(details) }))
    .reduce(addMissed, nothingMissed)
  const text = missedText(missed)
  if (text === '') return ok('audit', 'The audit trail has recorded everything in the last seven days.')
  const lastMs = entries.at(-1)?.atMs ?? nowMs
  return warning(
    'audit',
    `The audit trail is not complete. ${text}`,
    `The last of them came at ${isoTime(lastMs)}. See: latchkey audit list --kind not_recorded, and the log of that time`,
  )
}

/** A fortnight of a service whose retention should drop partitions (docs/growing.md): a million entries a day. */
const manyEntries = 14_000_000

/** Recommends partitions for a large trail, while dividing it still pays: what is there stays in the first partition. */
async function checkPartitions({ audit }: Pick<Storage, 'audit'>, { audit: kept }: Settings): Promise<Finding[]> {
  const entries = kept.retainForDays === 0 ? 0 : await audit.partitions.undivided()
  if (entries < manyEntries) return []
  const millions = Math.floor(entries / 1_000_000)
  const message = `The audit trail has about ${millions} million entries in one table, from which old ones are removed one by one.`
  return [note('audit', message, 'Partitions by time are dropped as a whole. Run: latchkey audit divide')]
}
