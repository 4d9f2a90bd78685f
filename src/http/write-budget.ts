/** Bounds what strangers have stored: rows and bytes a minute, by network and by owner. Counts per process. */
import { networkShares, networksOf } from './networks.ts'

export type WriteLimits = {
  /** In a minute, from an address. A wider network of IPv6 has a multiple. */
  readonly rows: number
  readonly bytes: number
  /** In a minute, of one owner. Default: as from an address. */
  readonly rowsOfOwner?: number
}

export type Writer = {
  readonly address: string
  /** The client or person, if the request proved to be theirs. Otherwise, strangers would use up what is their own. */
  readonly owner?: string | undefined
}

export type WriteBudget = {
  /**
   * Counts a write. Returns the whole seconds after which there is room for it, if there is none now; it is not counted then.
   * What is larger than the budget never has room.
   */
  take(writer: Writer, bytes: number): number | undefined
  /** Changes the rows. Counts are kept. */
  allow(rows: number): void
}

/** Bounds the memory that strangers can claim. Beyond it, the oldest window is forgotten. */
const maxWindows = 50_000
const windowMs = 60_000

type Window = { rows: number; bytes: number; readonly endsAtMs: number }
type Bound = { readonly key: string; readonly rows: number; readonly bytes: number }

export function writeBudget(limits: WriteLimits, clock: () => number): WriteBudget {
  let rowsOfAddress = limits.rows
  const windows = new Map<string, Window>()

  function boundsOf({ address, owner }: Writer): Bound[] {
    const networks = networksOf(address).map((network) => {
      const share = networkShares[network.prefix]
      return { key: network.key, rows: rowsOfAddress * share, bytes: limits.bytes * share }
    })
    if (owner === undefined) return networks
    return [...networks, { key: `owner ${owner}`, rows: limits.rowsOfOwner ?? rowsOfAddress, bytes: limits.bytes }]
  }

  function current(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key)
    if (window === undefined || nowMs < window.endsAtMs) return window
    windows.delete(key)
    return undefined
  }

  function opened(key: string, nowMs: number): Window {
    const known = current(key, nowMs)
    if (known !== undefined) return known
    const window = { rows: 0, bytes: 0, endsAtMs: nowMs + windowMs }
    windows.set(key, window)
    const [oldest] = windows.keys()
    if (windows.size > maxWindows && oldest !== undefined) windows.delete(oldest)
    return window
  }

  return {
    take(writer, bytes) {
      const nowMs = clock()
      const bounds = boundsOf(writer)
      const full = bounds.flatMap((bound) => {
        const {
          rows,
          bytes: taken,
          endsAtMs,
        } = current(bound.key, nowMs) ?? { rows: 0, bytes: 0, endsAtMs: nowMs + windowMs }
        return rows + 1 > bound.rows || taken + bytes > bound.bytes ? [endsAtMs - nowMs] : []
      })
      if (full.length > 0) return Math.max(1, Math.ceil(Math.max(...full) / 1000))
      for (const { key } of bounds) {
        const window = opened(key, nowMs)
        window.rows += 1
        window.bytes += bytes
      }
      return undefined
    },
    allow(rows) {
      rowsOfAddress = rows
    },
  }
}
