/** `latchkey audit divide`: stores the trail in partitions by time, which retention drops as a whole. */
import { InvalidArgumentError } from 'commander'
import { dayMs } from '../audit/retention.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import type { CommandContext, Workspace } from './context.ts'

export type DivideOptions = { readonly days: number }

const daysAtMost = 31

export function parseDays(text: string): number {
  const days = Number(text)
  if (/^\d{1,2}$/.test(text) && days >= 1 && days <= daysAtMost) return days
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${daysAtMost}.`)
}

export async function divide(
  { clock }: CommandContext,
  { storage: { audit }, print }: Workspace,
  { days }: DivideOptions,
): Promise<void> {
  const outcome = await audit.partitions.divide(days * dayMs, clock())
  if (outcome === 'unsupported') {
    throw new Refused('This database has no partitions: the trail of a large service is stored in PostgreSQL.')
  }
  const partitions = (await audit.partitions.list()).map(({ fromMs, beforeMs }) => ({
    from: fromMs === null ? null : isoTime(fromMs),
    before: beforeMs === null ? null : isoTime(beforeMs),
  }))
  const first = partitions[0]?.before ?? ''
  const text =
    outcome === 'divided'
      ? `The trail is divided: entries from ${first} on are stored in partitions of ${days === 1 ? 'a day' : `${days} days`}, which the running servers add and drop.`
      : `The trail was divided before: it has ${partitions.length} partitions.`
  print({ outcome, partitions }, text)
}
