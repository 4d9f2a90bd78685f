/**
 * Limits how many events of unauthenticated clients are recorded individually per minute, per network and in total. The
 * excess is counted.
 */

export type FloodLimits = {
  /** Per network and minute. */
  readonly perNetwork: number
  /** For all networks, per minute. */
  readonly inAll: number
}

export type FloodGate = {
  /** Whether another event of this network is recorded. `nowMs`: milliseconds of a monotonic clock. */
  admits(network: string, nowMs: number): boolean
  /** Whether the minute in which events were rejected is over. */
  isOver(nowMs: number): boolean
}

const windowMs = 60_000

/**
 * Reserves half of the total for networks with few events so far, so that a few noisy networks do not hide the others.
 */
export function floodGate({ perNetwork, inAll }: FloodLimits): FloodGate {
  let endsAtMs = Number.NEGATIVE_INFINITY
  let admitted = 0
  /** Bounded by the number of admitted events. */
  const counts = new Map<string, number>()
  const few = Math.max(1, Math.floor(perNetwork / 10))
  return {
    admits(network, nowMs) {
      if (nowMs >= endsAtMs) {
        endsAtMs = nowMs + windowMs
        admitted = 0
        counts.clear()
      }
      const count = counts.get(network) ?? 0
      if (admitted >= inAll || count >= (admitted < inAll / 2 ? perNetwork : few)) return false
      counts.set(network, count + 1)
      admitted += 1
      return true
    },
    isOver: (nowMs) => nowMs >= endsAtMs,
  }
}

/** A summary of events that were not recorded individually. */
export type Suppressed = {
  readonly count: number
  /** Number of different networks; at most 1000 are distinguished. */
  readonly networks: number
  /** The networks with the most events, such as `203.0.113.9: 532`. */
  readonly most: readonly string[]
}

/** Networks that are distinguished. */
const networksAtMost = 1000
/** Networks that are listed. */
const namedAtMost = 3

export type Tally = {
  /** `network` null: irrelevant. */
  add(network: string | null, more?: number): void
  /** Adds all counts of another tally. */
  addAll(other: Tally): void
  readonly count: number
  readonly networks: ReadonlyMap<string, number>
  told(): Suppressed
}

/** Counts rejected events. */
export function tally(): Tally {
  let count = 0
  const networks = new Map<string, number>()
  const name = (network: string, more: number): void => {
    if (networks.size < networksAtMost || networks.has(network)) {
      networks.set(network, (networks.get(network) ?? 0) + more)
    }
  }
  return {
    add(network, more = 1) {
      count += more
      if (network !== null) name(network, more)
    },
    addAll(other) {
      count += other.count
      for (const [network, more] of other.networks) name(network, more)
    },
    get count() {
      return count
    },
    networks,
    told() {
      const ordered = [...networks].sort(([, a], [, b]) => b - a)
      const most = ordered.slice(0, namedAtMost).map(([network, times]) => `${network}: ${times}`)
      return { count, networks: networks.size, most }
    },
  }
}
