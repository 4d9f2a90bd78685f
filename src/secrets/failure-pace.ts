/**
 * Gives failed password checks one duration. Hashes of other systems, and older ones of ours, take another time to check
 * than the hash that stands in for an unknown user, and would tell their owners from nobody.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { workOf } from './hash-work.ts'
import { isHashable, todaysHash, verifyPassword } from './password.ts'
import { type RecentTimes, recentTimes } from './recent-times.ts'

/** A kind of stored hash: the text of such a hash up to its salt, and one of them. */
type Kind = { readonly beginning: string; readonly sample: string | null }

export type FailurePace = {
  /** Begins an attempt to sign in with this password. */
  begin(password: string): PacedAttempt
}

export type PacedAttempt = {
  /** As `verifyPassword`. */
  verify(stored: string | null): Promise<boolean>
  /**
   * Resolves when the answer to a failed attempt may leave: as late for everybody as for the people whose hash is the
   * dearest to check. Called after the commit. Does nothing while all hashes are of today's kind.
   */
  failed(): Promise<void>
}

/** What the pace takes from outside: how a hash is checked, how time passes, and what was measured before. */
export type PaceParts = {
  readonly verify: typeof verifyPassword
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
  readonly pause: (ms: number) => Promise<unknown>
  readonly measured: Measured
}

/** What checks took, of all applications of a process. */
export type Measured = {
  /** The least time of a check for each kind, by its beginning: other work of the machine only adds. */
  readonly leastMs: Map<string, number>
  /** How many times the least recent checks took, which says how busy the machine is: of one form, and of two. */
  readonly slowness: readonly [one: RecentTimes, two: RecentTimes]
  /** From the end of the check to the end of the commit. */
  readonly commitMs: RecentTimes
}

/** How old the list of kinds may be. An attempt with a hash of a kind that is not in it has it read again. */
const listedForMs = 60_000
const rereadAfterMs = 1000
/** Above the usual: few checks take longer, so that hardly any failure is later than the others. */
const margin = 1.1
const probes = 2
/** From the start of an attempt. Less than a connection may be silent, and than people and proxies wait. */
export const heldAtMostMs = 15_000

const today: Kind = { beginning: todaysHash, sample: null }

export function nothingMeasured(): Measured {
  return { leastMs: new Map(), slowness: [recentTimes(100), recentTimes(100)], commitMs: recentTimes(100) }
}

const ofThisProcess: PaceParts = {
  verify: verifyPassword,
  monotonic: () => performance.now(),
  pause,
  measured: nothingMeasured(),
}

/** `list`: the kinds that people have besides today's. */
export function failurePace(list: () => Promise<readonly Kind[]>, parts: PaceParts = ofThisProcess): FailurePace {
  const { verify, monotonic, measured } = parts
  const { leastMs, slowness, commitMs } = measured
  let listed: readonly Kind[] = []
  let dearest: readonly Kind[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    listed = await list()
    dearest = listed.length === 0 ? [] : [today, ...dearestOf(listed)]
    for (const kind of dearest) if (!leastMs.has(kind.beginning)) await probe(kind)
    readAtMs = monotonic()
  }
  function readAgain(): Promise<void> {
    // A database that is away fails the attempt itself; a queue that is full leaves the probe to the next attempt.
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  /** Checks a hash of a kind to learn how long that takes. */
  async function probe({ beginning, sample }: Kind): Promise<void> {
    for (let done = 0; done < probes; done += 1) {
      const beganMs = monotonic()
      await verify(sample, 'a password')
      noteLeast(beginning, monotonic() - beganMs)
    }
  }
  function noteLeast(beginning: string, ms: number): number {
    const least = Math.min(leastMs.get(beginning) ?? ms, ms)
    leastMs.set(beginning, least)
    return least
  }
  function kindOf(stored: string | null): Kind | undefined {
    if (stored === null || stored.startsWith(today.beginning)) return today
    return listed.find(({ beginning }) => stored.startsWith(beginning))
  }
  /** Two forms are checked beside each other, so their time is no multiple of that of one. */
  function noteTime({ beginning }: Kind, forms: 1 | 2, ms: number): void {
    const least = forms === 1 ? noteLeast(beginning, ms) : leastMs.get(beginning)
    if (least === undefined) return
    // What delays a check that is cheaper than today's delays a dear one by as much, and not by as many times.
    const reference = Math.max(least, leastMs.get(today.beginning) ?? 0)
    slowness[forms - 1]?.add(1 + Math.max(ms - least, 0) / reference)
  }
  /** How many times its least a check of so many forms usually takes. */
  function usualSlowness(forms: 1 | 2): number {
    const [one, two] = slowness
    return forms === 2 && two.usual() > 0 ? two.usual() : forms * Math.max(one.usual(), 1)
  }

  return {
    begin(password) {
      const startMs = monotonic()
      let checkedAtMs = startMs
      let isUnlisted = false
      const isMeasured = isHashable(password)
      // Each form that is tried costs a check (`verifyPassword`).
      const forms = password.normalize('NFKC') === password ? 1 : 2
      return {
        async verify(stored) {
          const beganMs = monotonic()
          const matches = await verify(stored, password)
          checkedAtMs = monotonic()
          const kind = kindOf(stored)
          isUnlisted ||= kind === undefined
          if (kind !== undefined && isMeasured) noteTime(kind, forms, checkedAtMs - beganMs)
          return matches
        },
        async failed() {
          commitMs.add(monotonic() - checkedAtMs)
          const ageMs = monotonic() - readAtMs
          if (ageMs > listedForMs || (isUnlisted && ageMs > rereadAfterMs)) {
            const isRead = readAgain()
            // Known kinds are enough until then.
            if (isUnlisted || ageMs === Number.POSITIVE_INFINITY) await isRead
          }
          if (dearest.length === 0) return
          const leastOfDearestMs = Math.max(...dearest.map(({ beginning }) => leastMs.get(beginning) ?? 0))
          const targetMs = leastOfDearestMs * usualSlowness(forms) * margin + commitMs.usual()
          const restMs = startMs + Math.min(targetMs, heldAtMostMs) - monotonic()
          if (restMs > 0) await parts.pause(restMs)
        },
      }
    },
  }
}

/** Of each algorithm the kind that takes the most work: parameters of different algorithms cannot be compared. */
function dearestOf(kinds: readonly Kind[]): Kind[] {
  const most = new Map<string, { readonly kind: Kind; readonly units: number }>()
  for (const kind of kinds) {
    const { pace, units } = workOf(kind.sample ?? '') ?? { pace: 'none', units: 0 }
    // Ours with other parameters, which is all that is computed.
    const algorithm = kind.beginning.startsWith('$argon2id$') ? 'own' : pace
    if (units >= (most.get(algorithm)?.units ?? 0)) most.set(algorithm, { kind, units })
  }
  return [...most.values()].map(({ kind }) => kind)
}
