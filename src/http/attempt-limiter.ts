/** Bounds the failed password attempts of one client address in a minute. Counts in this process alone. */

const windowMs = 60_000
/** Addresses that are remembered at once; beyond it the oldest is forgotten. Bounds the memory an attacker can take. */
const maxAddresses = 50_000
/** Attempts of one address that may wait for those before them; an office at nine o'clock, not a flood. */
const maxWaiting = 200
/** When those who wait are too many, the next may come again after so many seconds. */
const comeAgainSeconds = 2

export type Attempt =
  /** To be judged now; `settle` says how it went, exactly once. */
  | { readonly allowed: true; settle(outcome: 'failed' | 'not_failed'): void }
  /** The next attempt will be heard in so many whole seconds. `exhausted`: failures used the budget up. */
  | { readonly allowed: false; readonly exhausted: boolean; readonly retryAfterSeconds: number }

export type AttemptLimiter = {
  /**
   * Asks to judge one attempt. Only failures count; but as many attempts as failures are left may be judged at once, and
   * the others wait for them, so that parallel guesses cannot exceed the budget and parallel successes all come through.
   */
  take(address: string): Promise<Attempt>
  /** Another budget from now on; what was counted stays, and those who wait are judged by the new one. */
  allow(failuresPerMinute: number): void
}

type Window = { failed: number; pending: number; endsAtMs: number; readonly waiting: (() => void)[] }

export function attemptLimiter(atFirst: number, clock: () => number): AttemptLimiter {
  let failuresPerMinute = atFirst
  const windows = new Map<string, Window>()

  function windowOf(address: string): Window {
    const key = networkOf(address)
    const nowMs = clock()
    const known = windows.get(key)
    if (known !== undefined && nowMs < known.endsAtMs) return known
    if (known !== undefined && known.pending > 0) {
      // Those that are being judged keep their place in the new minute.
      known.failed = 0
      known.endsAtMs = nowMs + windowMs
      return known
    }
    const window: Window = { failed: 0, pending: 0, endsAtMs: nowMs + windowMs, waiting: [] }
    // Inserted anew, so that the order of the map is the order of age.
    windows.delete(key)
    windows.set(key, window)
    const [oldest] = windows.keys()
    if (windows.size > maxAddresses && oldest !== undefined) windows.delete(oldest)
    return window
  }

  return {
    async take(address) {
      const window = windowOf(address)
      while (window.failed < failuresPerMinute && window.failed + window.pending >= failuresPerMinute) {
        if (window.waiting.length >= maxWaiting) {
          return { allowed: false, exhausted: false, retryAfterSeconds: comeAgainSeconds }
        }
        await new Promise<void>((resolve) => window.waiting.push(resolve))
      }
      if (window.failed >= failuresPerMinute) {
        const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAtMs - clock()) / 1000))
        return { allowed: false, exhausted: true, retryAfterSeconds }
      }
      window.pending += 1
      return {
        allowed: true,
        settle(outcome) {
          window.pending -= 1
          if (outcome === 'failed') window.failed += 1
          // With the budget used up all of them are refused, otherwise the first takes the free place.
          const woken = window.failed >= failuresPerMinute ? window.waiting.splice(0) : window.waiting.splice(0, 1)
          for (const resolve of woken) resolve()
        },
      }
    },
    allow(changed) {
      failuresPerMinute = changed
      for (const { waiting } of windows.values()) for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

/** Longer than any address. */
const maxAddressLength = 64

/**
 * One subscriber of IPv6 has at least a /64, so its addresses share a budget. A proxy that is trusted may pass on
 * anything that its client wrote: of that only a copy of the beginning is kept, not the whole header.
 */
export function networkOf(address: string): string {
  const withoutZone = Buffer.from((address.split('%', 1)[0] ?? '').slice(0, maxAddressLength)).toString()
  if (!withoutZone.includes(':') || withoutZone.includes('.')) return withoutZone
  const [head = '', tail] = withoutZone.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left.slice(0, 4).join(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
