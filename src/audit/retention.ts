/** How long entries are kept, and how much room they take: what is too old or too much is removed, oldest first. */
import type { Audit } from '../storage/port/audit.ts'
import { latenessMs, type TrailKeeper } from './keeper.ts'

export type Retention = {
  /** 0: for ever. */
  readonly retainDays: number
  /** Entries in chains of refusals; never longer than the others. 0: as long as they. */
  readonly retainRefusalsDays: number
  /** What those may take on disk, in megabytes. */
  readonly maxRefusalMegabytes: number
  /** What the whole trail may take on disk, in megabytes; 0: any. */
  readonly maxMegabytes: number
}

/** Entries that were removed. */
export type Removed = { readonly old: number; readonly refusals: number; readonly acts: number }

const dayMs = 24 * 3_600_000
const megabyte = 1_000_000
/** What one entry takes on disk with its keys, measured on both engines: the most of a refusal, the usual of an act. */
const refusalOnDisk = 800
const actOnDisk = 500
/** Entries that are removed at once. */
const portion = 5000
/** Portions of one turn. */
const portionsAtMost = 200
/** Where there are too many, a twentieth more goes, so that not every turn removes a few. */
const spare = 0.95

/** What is younger may not be signed yet, and stays. */
const settledMs = 2 * latenessMs

const ever = Number.MIN_SAFE_INTEGER

/** Throws `NotIntact` when what would go is not as it was written and signed. */
export async function removeExcess(
  keeper: TrailKeeper,
  audit: Audit,
  { retainDays, retainRefusalsDays, maxRefusalMegabytes, maxMegabytes }: Retention,
  nowMs: number,
): Promise<Removed> {
  async function removeBefore(beforeMs: number, part: 'all' | 'refusals'): Promise<number> {
    let total = 0
    for (let portions = 0; portions < portionsAtMost; portions += 1) {
      const removed = await keeper.removeBefore(beforeMs, portion, part)
      total += removed
      // A portion may be small, because it ends where a millisecond does.
      if (removed === 0) break
    }
    return total
  }

  async function keepAtMost(entries: number, count: number, part: 'all' | 'refusals'): Promise<number> {
    if (count <= entries) return 0
    const beforeMs = (await audit.timeOf(ever, count - Math.floor(entries * spare), part)) ?? nowMs
    return removeBefore(Math.min(beforeMs, nowMs - settledMs), part)
  }

  const old = retainDays === 0 ? 0 : await removeBefore(nowMs - retainDays * dayMs, 'all')
  const oldRefusals = retainRefusalsDays === 0 ? 0 : await removeBefore(nowMs - retainRefusalsDays * dayMs, 'refusals')
  const most = Math.floor((maxRefusalMegabytes * megabyte) / refusalOnDisk)
  let refusals = await keepAtMost(most, await audit.countRefusals(), 'refusals')
  let acts = 0
  if (maxMegabytes > 0) {
    const room = maxMegabytes * megabyte
    const present = await keeper.countActs()
    const besides = Math.max(0, Math.floor((room - present * actOnDisk) / refusalOnDisk))
    refusals += await keepAtMost(besides, await audit.countRefusals(), 'refusals')
    acts = await keepAtMost(Math.floor(room / actOnDisk), present, 'all')
  }
  return { old: old + oldRefusals, refusals, acts }
}
