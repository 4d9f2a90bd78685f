/** Bounds the failed password attempts of one client address in a minute. Counts in this process alone. */

const windowMs = 60_000
/** Addresses that are remembered at once; beyond it the oldest is forgotten. Bounds the memory an attacker can take. */
const maxAddresses = 50_000

export type AttemptLimiter = {
  /**
   * Takes one attempt from the address's budget before it is judged, so that parallel attempts cannot exceed it.
   * A success gives it back. Refused: in how many whole seconds the next attempt will be heard.
   */
  take(
    address: string,
  ): { readonly allowed: true; giveBack(): void } | { readonly allowed: false; retryAfterSeconds: number }
}

export function attemptLimiter(failuresPerMinute: number, clock: () => number): AttemptLimiter {
  const windows = new Map<string, { used: number; endsAtMs: number }>()
  return {
    take(address) {
      const key = networkOf(address)
      const nowMs = clock()
      let window = windows.get(key)
      if (window === undefined || nowMs >= window.endsAtMs) {
        windows.delete(key)
        window = { used: 0, endsAtMs: nowMs + windowMs }
        windows.set(key, window)
        const [oldest] = windows.keys()
        if (windows.size > maxAddresses && oldest !== undefined) windows.delete(oldest)
      }
      if (window.used >= failuresPerMinute) {
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)) }
      }
      window.used += 1
      const taken = window
      return {
        allowed: true,
        giveBack: () => {
          taken.used -= 1
        },
      }
    },
  }
}

/** One subscriber of IPv6 has at least a /64, so its addresses share a budget. */
export function networkOf(address: string): string {
  const withoutZone = address.split('%', 1)[0] ?? ''
  if (!withoutZone.includes(':') || withoutZone.includes('.')) return withoutZone
  const [head = '', tail] = withoutZone.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left.slice(0, 4).join(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
