/** Remembers how long checks of password hashes took, and says how long one of a kind usually takes now. */

export type CheckTimes = {
  /** Takes in the time of a check of so many forms of a password. */
  add(kind: string, forms: 1 | 2, ms: number): void
  /** Takes in the time of a check that was made to learn how long it takes. */
  probed(kind: string, ms: number): void
  /** Whether there was one. A check of a sign-in may have waited for a thread to start. */
  isProbed(kind: string): boolean
  /** Returns what 19 of 20 checks of the dearest of the kinds stay below, in milliseconds. */
  usual(kinds: readonly string[], forms: 1 | 2): number
}

/** `slower`: how many times its least it took. */
type Check = { readonly kind: string; readonly ms: number; readonly slower: number }

/** Checks that are remembered of each number of forms, and of a kind among them that speak for it. */
const remembered = 100
const enough = 5
const share = 0.95
/** What checks of other kinds say is an upper bound: of a short check, what delays it is many times its time. */
const slownessOfOthersAtMost = 16

/** `usualKind`: the kind of most checks. */
export function checkTimes(usualKind: string): CheckTimes {
  /** Other work of the machine only adds to the least. */
  const leastMs = new Map<string, number>()
  const recent: Record<1 | 2, Check[]> = { 1: [], 2: [] }
  const wasProbed = new Set<string>()

  function noteLeast(kind: string, ms: number): number {
    const least = Math.min(leastMs.get(kind) ?? ms, ms)
    leastMs.set(kind, least)
    return least
  }

  function usualMsOf(kind: string, forms: 1 | 2): number {
    const own = recent[forms].filter((check) => check.kind === kind).map(({ ms }) => ms)
    if (own.length >= enough) return usualOf(own)
    const slower = recent[forms].length > 0 || forms === 1 ? usualSlowness(forms) : forms * usualSlowness(1)
    return Math.max((leastMs.get(kind) ?? 0) * Math.min(slower, slownessOfOthersAtMost), ...own)
  }
  const usualSlowness = (forms: 1 | 2) => Math.max(usualOf(recent[forms].map(({ slower }) => slower)), 1)

  return {
    probed(kind, ms) {
      wasProbed.add(kind)
      noteLeast(kind, ms)
    },
    isProbed: (kind) => wasProbed.has(kind),
    add(kind, forms, ms) {
      // Two forms are checked beside each other, so their time is no multiple of that of one.
      const least = forms === 1 ? noteLeast(kind, ms) : leastMs.get(kind)
      if (least === undefined) return
      // What delays a check that is cheaper than usual delays a dear one by as much, and not by as many times.
      const reference = Math.max(least, leastMs.get(usualKind) ?? 0)
      recent[forms].push({ kind, ms, slower: 1 + Math.max(ms - least, 0) / reference })
      if (recent[forms].length > remembered) recent[forms].shift()
    },
    usual: (kinds, forms) => Math.max(0, ...kinds.map((kind) => usualMsOf(kind, forms))),
  }
}

function usualOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0
}
