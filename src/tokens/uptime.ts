/**
 * Records when the service was able to answer. A process knows its own uptime and records it for processes that start
 * later; these know the time before their start only from the database.
 */
import { leewayAtMostMs, type Uptime } from '../protocol/grant/leeway.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { StoredUptime } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type RotationTimes, rotationTimes } from './rotation-times.ts'

/** How often `record` must be called while requests come. A crash leaves at most this much uptime unrecorded. */
export const uptimeIntervalMs = 10_000

/** If a call is this late, the process was stopped or starved in between. */
const lateMs = 2 * uptimeIntervalMs

/** Shorter interruptions are ignored, which bounds the number of records. */
const negligibleMs = 1000

/** Records kept in memory. Beyond it, the gap between the two oldest counts as uptime. */
const keptAtMost = 500

type GrowingUptime = StoredUptime & { throughMs: number }

export type UptimeKeeper = {
  /** Reports that a token request was answered and its effects stored. */
  answered(): void
  /** Reports that the database was lost or took no write. */
  lost(): void
  /** When this process replaced refresh tokens. */
  readonly rotations: RotationTimes
  /** Returns the uptimes, from `sinceMs` on at least. Reads the database only for the time before the start. */
  since(sinceMs: number): Promise<readonly Uptime[]>
  /**
   * Records the uptime while a rotation may be within its leeway, and detects that a lost database is back. `nextMs`: after how
   * long the next call is due; default: after `uptimeIntervalMs`.
   */
  record(leewayMs: number, nextMs?: number): Promise<void>
}

export function uptimeKeeper(context: {
  readonly uptimes: Storage['uptimes']
  /** In epoch milliseconds. */
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds that continue while the process is stopped and never jump; default: the runtime's. */
  readonly monotonic?: () => number
}): UptimeKeeper {
  const { uptimes, clock, random, monotonic = () => performance.now() } = context
  const startedAtMs = clock()
  /** Ended uptimes, oldest first. */
  let past: StoredUptime[] = []
  /** Undefined while the database is lost. */
  let current: GrowingUptime | undefined = begin(startedAtMs)
  /** Ended uptimes whose end is not recorded yet. */
  let unrecorded: StoredUptime[] = []
  /** The uptime matters until the leeway has passed after this time. */
  let mattersFromMs = startedAtMs
  let lastRecord: { readonly monotonicMs: number; readonly atMs: number; readonly nextMs: number } | undefined
  let earlier: { readonly rows: readonly Uptime[]; readonly readAtMs: number } | undefined

  function begin(nowMs: number): GrowingUptime {
    return { id: uuidv7(nowMs, random), fromMs: nowMs, throughMs: nowMs }
  }

  function resume(nowMs: number): GrowingUptime {
    const last = past.at(-1)
    if (last === undefined || nowMs - last.throughMs > negligibleMs) return begin(nowMs)
    past = past.slice(0, -1)
    unrecorded = unrecorded.filter(({ id }) => id !== last.id)
    return { ...last }
  }

  function end(): void {
    if (current === undefined) return
    past = shorten([...past, current], clock())
    unrecorded = [...unrecorded, current].slice(-keptAtMost)
    current = undefined
  }

  /** Excludes the time in which the process did not run. */
  function noticeStall(): void {
    if (lastRecord === undefined || monotonic() - lastRecord.monotonicMs <= lastRecord.nextMs + lateMs) return
    const nowMs = clock()
    if (current !== undefined) current.throughMs = Math.max(current.throughMs, lastRecord.atMs)
    end()
    current = begin(nowMs)
    mattersFromMs = nowMs
    lastRecord = { ...lastRecord, monotonicMs: monotonic(), atMs: nowMs }
  }

  /** Returns what other processes recorded about the time before this one. Their records may be one interval late. */
  async function beforeStart(): Promise<readonly Uptime[]> {
    if (earlier === undefined || earlier.readAtMs < startedAtMs + 2 * uptimeIntervalMs) {
      const readAtMs = clock()
      const rows = await uptimes.since(startedAtMs - leewayAtMostMs)
      // From its start on, a process relies on its own observations.
      const before = rows.filter(({ fromMs }) => fromMs < startedAtMs)
      earlier = {
        rows: before.map(({ fromMs, throughMs }) => ({ fromMs, throughMs: Math.min(throughMs, startedAtMs) })),
        readAtMs,
      }
    }
    return earlier.rows
  }

  return {
    rotations: rotationTimes(monotonic),
    answered() {
      noticeStall()
      const nowMs = clock()
      current ??= resume(nowMs)
      current.throughMs = nowMs
      mattersFromMs = nowMs
    },
    lost: end,
    async since(sinceMs) {
      noticeStall()
      const own = current === undefined ? past : [...past, { ...current, throughMs: clock() }]
      return sinceMs >= startedAtMs ? own : [...(await beforeStart()), ...own]
    },
    async record(leewayMs, nextMs = uptimeIntervalMs) {
      noticeStall()
      const nowMs = clock()
      lastRecord = { monotonicMs: monotonic(), atMs: nowMs, nextMs }
      const isSettled = current !== undefined && unrecorded.length === 0
      if (isSettled && nowMs - mattersFromMs > leewayMs + 2 * uptimeIntervalMs) return
      const ended = unrecorded
      const before = current
      const now = { ...(current ?? begin(nowMs)), throughMs: nowMs }
      try {
        await uptimes.record([...ended, now])
      } catch (error) {
        end()
        throw error
      }
      unrecorded = unrecorded.filter((one) => !ended.includes(one))
      if (before === undefined && current === undefined) {
        // The database is available again.
        current = now
        mattersFromMs = nowMs
      } else if (current !== undefined && current.id === now.id) {
        current.throughMs = Math.max(current.throughMs, nowMs)
      }
    },
  }
}

/** Drops uptimes beyond the maximum leeway, and limits their number. */
function shorten(uptimes: readonly StoredUptime[], nowMs: number): StoredUptime[] {
  const kept = uptimes.filter(({ throughMs }) => nowMs - throughMs <= leewayAtMostMs)
  if (kept.length <= keptAtMost) return kept
  const [first, second, ...others] = kept as [StoredUptime, StoredUptime, ...StoredUptime[]]
  return [{ ...second, fromMs: first.fromMs }, ...others]
}
