/**
 * Gives failed password checks one duration. Hashes of other systems, and older ones of ours, take another time to check
 * than the hash that stands in for an unknown user, and would tell their owners from nobody.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type CheckTimes, checkTimes } from './check-times.ts'
import { workOf } from './hash-work.ts'
import { isHashable, todaysHash, verifyPassword } from './password.ts'

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

/** What checks and commits took, of all applications of a process. `commitMs`: from the end of the check to that of the commit. */
export type Measured = { readonly checks: CheckTimes; readonly commitMs: RecentTimes }

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
  return { checks: checkTimes(todaysHash), commitMs: recentTimes(100) }
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
  const { checks, commitMs } = measured
  let listed: readonly Kind[] = []
  let dearest: readonly Kind[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    listed = await list()
    dearest = listed.length === 0 ? [] : [today, ...dearestOf(listed)]
    for (const kind of dearest) if (!checks.isProbed(kind.beginning)) await probe(kind)
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
      checks.probed(beginning, monotonic() - beganMs)
    }
  }
  function kindOf(stored: string | null): Kind | undefined {
    if (stored === null || stored.startsWith(today.beginning)) return today
    return listed.find(({ beginning }) => stored.startsWith(beginning))
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
          if (kind !== undefined && isMeasured) checks.add(kind.beginning, forms, checkedAtMs - beganMs)
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
          const usualMs = checks.usual(
            dearest.map(({ beginning }) => beginning),
            forms,
          )
          const targetMs = usualMs * margin + commitMs.usual()
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

type RecentTimes = {
  add(time: number): void
  /** Returns what 19 of 20 of them stay below; 0 before the first. */
  usual(): number
}

const usualShare = 0.95

/** Remembers how long the last `atMost` runs of something took. */
function recentTimes(atMost: number): RecentTimes {
  const times: number[] = []
  let next = 0
  return {
    add(time) {
      times[next] = time
      next = (next + 1) % atMost
    },
    usual: () => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * usualShare)] ?? 0,
  }
}
