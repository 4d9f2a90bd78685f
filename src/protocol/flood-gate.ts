/**
 * How much of what strangers cause is written down one by one, in a minute: so much for each network, so much in all. What
 * exceeds it is counted.
 */

export type FloodLimits = {
  /** For one network, a minute. */
  readonly perNetwork: number
  /** For all networks together, a minute. */
  readonly inAll: number
}

export type FloodGate = {
  /** Whether another event of this network is written down. `nowMs`: milliseconds of a clock that only runs forward. */
  admits(network: string, nowMs: number): boolean
  /** Whether the minute in which events were refused is over. */
  isOver(nowMs: number): boolean
}

const windowMs = 60_000

/**
 * Half of the room for all is for networks that had next to nothing of it yet: so a few that use up theirs leave room to
 * see the others.
 */
export function floodGate({ perNetwork, inAll }: FloodLimits): FloodGate {
  let endsAtMs = Number.NEGATIVE_INFINITY
  let admitted = 0
  /** No more than were admitted. */
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

/** What was not written down one by one. */
export type HeldBack = {
  readonly count: number
  /** How many different ones; at most 1000 are told apart. */
  readonly networks: number
  /** Those with the most, such as `203.0.113.9: 532`. */
  readonly most: readonly string[]
}

/** Networks that are told apart. */
const networksAtMost = 1000
/** Networks that are named. */
const namedAtMost = 3

export type Tally = {
  /** `network` null: of no matter. */
  add(network: string | null, more?: number): void
  /** With all that another one has counted. */
  addAll(other: Tally): void
  readonly count: number
  readonly networks: ReadonlyMap<string, number>
  told(): HeldBack
}

/** Counts what is held back. */
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
