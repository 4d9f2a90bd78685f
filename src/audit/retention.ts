/** Retention of the trail: removes entries that are too old or too many, oldest first. */
import type { Storage } from '../storage/port/storage.ts'
import { latenessMs } from './checkpoint.ts'
import type { TrailKeeper } from './keeper.ts'

export type Retention = {
  /** 0: kept indefinitely. */
  readonly retainForDays: number
  /** Days for chains of refusals, at most `retainForDays`. 0: the same as `retainForDays`. */
  readonly retainRefusalsForDays: number
  /** Disk space of the chains of refusals, in megabytes. */
  readonly maxRefusalSizeMegabytes: number
  /** Disk space of the whole trail, in megabytes; 0: unlimited. */
  readonly maxSizeMegabytes: number
}

/** Numbers of removed entries. */
export type Removed = { readonly old: number; readonly refusals: number; readonly acts: number }

export const dayMs = 24 * 3_600_000
const megabyte = 1_000_000
/** Bytes on disk per entry, keys included: the maximum of a refusal, the typical value of an act. */
const refusalOnDisk = 800
const actOnDisk = 500
/** Entries removed at once. */
const portion = 5000
/** Portions per run. */
const portionsAtMost = 200
/** Above a limit, removes a twentieth more, so that not every run removes a few entries. */
const spare = 0.95

/** Younger entries may not be signed yet, and stay. */
const settledMs = 2 * latenessMs

const ever = Number.MIN_SAFE_INTEGER

/** Throws `NotIntact` if the entries to remove do not match what was written and signed. */
export async function removeExcess(
  keeper: TrailKeeper,
  audit: Storage['audit'],
  { retainForDays, retainRefusalsForDays, maxRefusalSizeMegabytes, maxSizeMegabytes }: Retention,
  nowMs: number,
): Promise<Removed> {
  async function removeBefore(beforeMs: number, part: 'all' | 'refusals'): Promise<number> {
    let total = 0
    for (let portions = 0; portions < portionsAtMost; portions += 1) {
      const removed = await keeper.removeBefore(beforeMs, portion, part)
      total += removed
      // A portion ends at a millisecond boundary, so it may be smaller.
      if (removed === 0 && !keeper.isChecking()) break
    }
    return total
  }

  async function keepAtMost(entries: number, count: number, part: 'all' | 'refusals'): Promise<number> {
    if (count <= entries) return 0
    const [oldest] = part === 'all' ? (await audit.partitions.list()).filter((one) => one.entries > 0) : []
    if (oldest !== undefined && oldest.fromMs !== null) {
      // A partition is removed as a whole, once all of it is too much.
      const beforeMs = oldest.beforeMs ?? nowMs
      return count - entries < oldest.entries || beforeMs > nowMs - settledMs ? 0 : removeBefore(beforeMs, part)
    }
    const beforeMs = (await audit.timeOf(ever, count - Math.floor(entries * spare), part)) ?? nowMs
    return removeBefore(Math.min(beforeMs, nowMs - settledMs), part)
  }

  const old = retainForDays === 0 ? 0 : await removeBefore(nowMs - retainForDays * dayMs, 'all')
  const oldRefusals =
    retainRefusalsForDays === 0 ? 0 : await removeBefore(nowMs - retainRefusalsForDays * dayMs, 'refusals')
  const most = Math.floor((maxRefusalSizeMegabytes * megabyte) / refusalOnDisk)
  let refusals = await keepAtMost(most, await audit.countRefusals(), 'refusals')
  let acts = 0
  if (maxSizeMegabytes > 0) {
    const room = maxSizeMegabytes * megabyte
    const present = await keeper.countActs()
    const besides = Math.max(0, Math.floor((room - present * actOnDisk) / refusalOnDisk))
    refusals += await keepAtMost(besides, await audit.countRefusals(), 'refusals')
    acts = await keepAtMost(Math.floor(room / actOnDisk), present, 'all')
  }
  return { old: old + oldRefusals, refusals, acts }
}
