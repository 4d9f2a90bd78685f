/** Counts the failed password attempts of networks in a minute. Counts in this process alone. */
import type { Network } from './networks.ts'

const windowMs = 60_000
/** Networks that are remembered at once; beyond it the oldest is forgotten. Bounds the memory an attacker can take. */
const maxNetworks = 50_000

/** Budgets of one address that a network has. */
const budgets: Readonly<Record<Network['prefix'], number>> = { 32: 1, 64: 1, 56: 4, 48: 16 }

export type FailureBudget = {
  /** Milliseconds until these networks are heard again; undefined: now. */
  exhaustedForMs(networks: readonly Network[]): number | undefined
  /** Whether another attempt may be judged now. False while those under way might use the budget up. */
  hasRoom(networks: readonly Network[]): boolean
  /** Begins to judge an attempt; the result ends it, exactly once. */
  begin(networks: readonly Network[]): (failed: boolean) => void
  /** Another budget from now on; what was counted stays. */
  allow(failuresPerMinute: number): void
}

type Window = { readonly limit: number; failed: number; pending: number; endsAtMs: number }

export function failureBudget(atFirst: number, clock: () => number): FailureBudget {
  let failuresPerMinute = atFirst
  const windows = new Map<string, Window>()

  /** Undefined: nothing counts against the network. */
  function current(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key)
    if (window === undefined || nowMs < window.endsAtMs) return window
    if (window.pending === 0) {
      windows.delete(key)
      return undefined
    }
    // Attempts that are being judged keep their place in the new minute.
    window.failed = 0
    window.endsAtMs = nowMs + windowMs
    return window
  }

  function opened({ key, prefix }: Network, nowMs: number): Window {
    const known = current(key, nowMs)
    if (known !== undefined) return known
    const window = { limit: budgets[prefix], failed: 0, pending: 0, endsAtMs: nowMs + windowMs }
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
