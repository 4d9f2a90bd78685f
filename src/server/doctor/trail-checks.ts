/** Checks whether the audit trail reports missing events itself. `audit verify` proves the rest. */
import { addMissed, missedText, nothingMissed } from '../../audit/missed.ts'
import { type Finding, ok, warning } from '../../finding.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { isoTime } from '../../text.ts'

const recentMs = 7 * 24 * 3_600_000
/** At most a few such entries are written per minute. */
const entriesAtMost = 10_000

export async function checkTrail({ audit }: Pick<Storage, 'audit'>, nowMs: number): Promise<Finding> {
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
