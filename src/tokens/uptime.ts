/**
 * When the service could answer. Each process knows that of itself, and records it for those that start later: what
 * happened before a start is known from the database alone.
 */
import { leewayAtMostMs, type Uptime } from '../protocol/leeway.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { StoredUptime, Uptimes } from '../storage/port/uptime.ts'

/** How often `turn` is to be called. A crash leaves at most so much of the uptime unrecorded. */
export const uptimeTurnMs = 10_000

/** A process whose turns are as late was not running in between: it was stopped, or starved. */
const stalledMs = 3 * uptimeTurnMs

/** Interruptions as short are none. So there are at most as many records as seconds. */
const negligibleMs = 1000

/** Records kept in memory; the gap between the two oldest counts as uptime then. */
const keptAtMost = 500

type GrowingUptime = StoredUptime & { throughMs: number }

export type UptimeKeeper = {
  /** A token request was answered, with what it asked for stored. */
  answered(): void
  /** The database was lost, or took no write. */
  lost(): void
  /** When the service could answer, from `sinceMs` on at least. Reads the database only for what was before the start. */
  since(sinceMs: number): Promise<readonly Uptime[]>
  /** Records the uptime while a rotation may be inside its leeway, and finds out whether a lost database is back. */
  turn(leewayMs: number): Promise<void>
}

export function uptimeKeeper(context: {
  readonly uptimes: Uptimes
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds that pass while the process is stopped, too, and never jump; default: those of the runtime. */
  readonly monotonic?: () => number
}): UptimeKeeper {
  const { uptimes, clock, random, monotonic = () => performance.now() } = context
  const startedAtMs = clock()
  /** Those that ended, oldest first. */
  let past: StoredUptime[] = []
  /** Undefined while the database is lost. */
  let current: GrowingUptime | undefined = begin(startedAtMs)
  /** Ended, and not yet recorded with their end. */
  let unrecorded: StoredUptime[] = []
  /** Until the leeway has passed from here on, the uptime may matter to somebody. */
  let mattersFromMs = startedAtMs
  let lastTurn: { readonly monotonicMs: number; readonly atMs: number } | undefined
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

  /** Leaves out the time in which the process did not run. */
  function noticeStall(): void {
    if (lastTurn === undefined || monotonic() - lastTurn.monotonicMs <= stalledMs) return
    const nowMs = clock()
    if (current !== undefined) current.throughMs = Math.max(current.throughMs, lastTurn.atMs)
    end()
    current = begin(nowMs)
    mattersFromMs = nowMs
    lastTurn = { monotonicMs: monotonic(), atMs: nowMs }
  }

  /** What others recorded about the time before this process. They may be one turn late. */
  async function beforeStart(): Promise<readonly Uptime[]> {
    if (earlier === undefined || earlier.readAtMs < startedAtMs + 2 * uptimeTurnMs) {
      const readAtMs = clock()
      const rows = await uptimes.since(startedAtMs - leewayAtMostMs)
      // From its start on a process goes by what it has seen itself.
      const before = rows.filter(({ fromMs }) => fromMs < startedAtMs)
      earlier = {
        rows: before.map(({ fromMs, throughMs }) => ({ fromMs, throughMs: Math.min(throughMs, startedAtMs) })),
        readAtMs,
      }
    }
    return earlier.rows
  }

  return {
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
    async turn(leewayMs) {
      noticeStall()
      const nowMs = clock()
      lastTurn = { monotonicMs: monotonic(), atMs: nowMs }
      const isSettled = current !== undefined && unrecorded.length === 0
      if (isSettled && nowMs - mattersFromMs > leewayMs + 2 * uptimeTurnMs) return
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
        // The database is back.
        current = now
        mattersFromMs = nowMs
      } else if (current !== undefined && current.id === now.id) {
        current.throughMs = Math.max(current.throughMs, nowMs)
      }
    },
  }
}

/** Without what no leeway can reach back to, and with no more than are kept. */
function shorten(uptimes: readonly StoredUptime[], nowMs: number): StoredUptime[] {
  const kept = uptimes.filter(({ throughMs }) => nowMs - throughMs <= leewayAtMostMs)
  if (kept.length <= keptAtMost) return kept
  const [first, second, ...others] = kept as [StoredUptime, StoredUptime, ...StoredUptime[]]
  return [{ ...second, fromMs: first.fromMs }, ...others]
}
