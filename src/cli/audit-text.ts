/** The output of `latchkey audit verify`. */
import { type Fault, type Met, placeText } from '../audit/acknowledged.ts'
import { missedText } from '../audit/missed.ts'
import type { Verification } from '../audit/verify.ts'
import { isoTime } from '../text.ts'

export function faultText(fault: Fault, entries: number): string {
  const rest = fault.entry === undefined ? '' : ` ${entries} entries before it are intact.`
  return `The audit trail is not intact: ${placeText(fault)}.${rest}`
}

export function verificationText(found: Verification): string {
  const missed = missedText(found.missed)
  const lines = [
    proofText(found),
    ...acknowledgedLines(found.acknowledged),
    ...(missed === '' ? [] : [`${missed} See: latchkey audit list --kind not_recorded`]),
  ]
  return lines.join('\n')
}

function proofText({
  entries,
  writers,
  checkpoints,
  provenToMs,
  unproven,
  fromMs,
  acknowledged,
}: Verification): string {
  if (entries === 0 && checkpoints === 0) return 'Nothing has been recorded yet.'
  const since = fromMs === null ? '' : ` from ${isoTime(fromMs)} on`
  const but = acknowledged.length === 0 ? '' : `, but for ${placesText(acknowledged.length)} acknowledged`
  const intact = `The audit trail is intact${but}: ${entries} entries of ${writers} writers${since}.`
  if (provenToMs === null) return `${intact}\nNo checkpoint is signed yet, so a rebuilt trail would look the same.`
  const rest = unproven === 0 ? 'nothing was recorded after it' : `${unproven} entries after it are not signed yet`
  return `${intact}\n${checkpoints} checkpoints are valid; the last one is from ${isoTime(provenToMs)}, and ${rest}.`
}

export function placesText(count: number): string {
  return count === 1 ? 'one place that was' : `${count} places that were`
}

/** Places listed individually; JSON output has all of them. */
const namedAtMost = 20

function acknowledgedLines(acknowledged: readonly Met[]): string[] {
  const named = acknowledged
    .slice(0, namedAtMost)
    .map(
      ({ fault, at, actor, reason }) =>
        `Acknowledged: ${placeText(fault)}. By ${actor} at ${isoTime(at)}, because: ${reason}`,
    )
  const others = acknowledged.length - named.length
  return others > 0 ? [...named, `Acknowledged: ${others} more.`] : named
}
