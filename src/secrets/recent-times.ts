/** Remembers how long the last few runs of something took. */

export type RecentTimes = {
  add(time: number): void
  /** Returns what 19 of 20 of them stay below; 0 before the first. */
  usual(): number
}

const share = 0.95

/** Remembers the last `atMost`. */
export function recentTimes(atMost: number): RecentTimes {
  const times: number[] = []
  let next = 0
  return {
    add(time) {
      times[next] = time
      next = (next + 1) % atMost
    },
    usual: () => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0,
  }
}
