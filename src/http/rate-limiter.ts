/** Counts events by network in windows of time: failed password attempts, registrations. Counts per process. */
import { type Network, networkShares } from './networks.ts'

/** Bounds the memory that an attacker can claim. Beyond it the oldest network is forgotten. */
const maxNetworks = 50_000

export type RateLimiter = {
  /** Returns the milliseconds for which these networks are blocked; undefined: not blocked. */
  exhaustedForMs(networks: readonly Network[]): number | undefined
  /** Whether another attempt may start. False if those in progress could use up the budget. */
  hasRoom(networks: readonly Network[]): boolean
  /** Starts an attempt. The returned function ends it and must be called exactly once. */
  begin(networks: readonly Network[]): (failed: boolean) => void
  /** Changes the budget. Counts are kept. */
  allow(failuresPerMinute: number): void
}

type Window = { readonly limit: number; failed: number; pending: number; endsAtMs: number }

export function rateLimiter(atFirst: number, clock: () => number, windowMs = 60_000): RateLimiter {
  let failuresPerMinute = atFirst
  const windows = new Map<string, Window>()

  /** Returns undefined if nothing counts against the network. */
  function current(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key)
    if (window === undefined || nowMs < window.endsAtMs) return window
    if (window.pending === 0) {
      windows.delete(key)
      return undefined
    }
    // Attempts in progress carry over into the new minute.
    window.failed = 0
    window.endsAtMs = nowMs + windowMs
    return window
  }

  function opened({ key, prefix }: Network, nowMs: number): Window {
    const known = current(key, nowMs)
    if (known !== undefined) return known
    const window = { limit: networkShares[prefix], failed: 0, pending: 0, endsAtMs: nowMs + windowMs }
    windows.set(key, window)
    const [oldest] = windows.keys()
    if (windows.size > maxNetworks && oldest !== undefined) windows.delete(oldest)
    return window
  }

  const windowsOf = (networks: readonly Network[], nowMs: number) =>
    networks.map(({ key }) => current(key, nowMs)).filter((window) => window !== undefined)

  return {
    exhaustedForMs(networks) {
      const nowMs = clock()
      const exhausted = windowsOf(networks, nowMs).filter(({ failed, limit }) => failed >= failuresPerMinute * limit)
      return exhausted.length === 0 ? undefined : Math.max(...exhausted.map(({ endsAtMs }) => endsAtMs - nowMs))
    },
    hasRoom(networks) {
      return windowsOf(networks, clock()).every(
        ({ failed, pending, limit }) => failed + pending < failuresPerMinute * limit,
      )
    },
    begin(networks) {
      const nowMs = clock()
      const counted = networks.map((network) => opened(network, nowMs))
      for (const window of counted) window.pending += 1
      return (failed) => {
        for (const window of counted) {
          window.pending -= 1
          if (failed) window.failed += 1
        }
      }
    },
    allow(changed) {
      failuresPerMinute = changed
    },
  }
}
