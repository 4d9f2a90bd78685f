/**
 * Decides which password attempts are judged now, which wait, and which are refused. An address has a budget of failures
 * in a minute. Within it attempts take turns by network and account, so that neither a few addresses nor one account can
 * keep the others waiting. Counts in this process alone.
 */
import { hash } from 'node:crypto'
import { hashesAtOnce } from '../secrets/gate.ts'
import { failureBudget } from './failure-budget.ts'
import { type Claim, fairQueue, type Place } from './fair-queue.ts'
import { type Network, networksOf } from './networks.ts'

/** Attempts that wait in all. They hold their requests, some kilobytes each. */
const maxWaiting = 400
/** Attempts of one network (an address; a /64, /56 or /48 of IPv6) or on one account that wait: a whole office. */
const maxWaitingTogether = 200
/** Known browsers give way, too, when more than this many of them wait. */
const maxKnownWaiting = 300
/** Consecutive turns of known browsers while strangers wait. */
const knownInARow = 3
/** When an attempt is refused because too many wait, the next may come again after so many seconds. */
const comeAgainSeconds = 2

/** Turns in a round. One address never gets more than one, whatever its wider networks may have. */
const turns: Readonly<Record<Network['prefix'], number>> = { 32: 1, 64: 1, 56: 2, 48: 4 }

export type Attempt =
  /** To be judged now. */
  | Begun
  /** The next attempt will be heard in so many whole seconds. `exhausted`: failures used the budget up. */
  | { readonly allowed: false; readonly exhausted: boolean; readonly retryAfterSeconds: number }

export type Begun = {
  readonly allowed: true
  /** Facts read before may have changed meanwhile. */
  readonly waited: boolean
  /** Reports that the password was checked: the next check begins while this attempt is committed. Implied by `settle`. */
  checked(): void
  /** Reports the outcome. Called exactly once. */
  settle(outcome: 'failed' | 'not_failed'): void
}

/** What decides the turn of an attempt, beside its address. */
export type Attempter = {
  /** Identifies the account, under whichever of its names. */
  readonly account?: string
  /** Whether the browser signed in to this account before. Known browsers go ahead of strangers. */
  readonly known?: boolean
}

export type AttemptLimiter = {
  /** Whole seconds until attempts of the address are heard again, because its failures used the budget up; undefined: now. */
  exhausted(address: string): number | undefined
  /**
   * Asks to judge one attempt. Only failures use the budget up; but as many attempts as failures are left may be judged at
   * once, and the others wait for them, so that parallel guesses cannot exceed the budget and parallel successes all come
   * through. Every attempt takes a turn, however it ends, and a refusal because too many wait takes one too.
   */
  take(address: string, attempter?: Attempter): Promise<Attempt>
  /** Another budget from now on; what was counted stays, and those who wait are judged by the new one. */
  allow(failuresPerMinute: number): void
  /** How many attempts are being judged, written included, and how many wait for that. */
  load(): { readonly running: number; readonly waiting: number }
}

type Waiting = {
  readonly networks: readonly Network[]
  /** `hasWaited`: not answered at once. */
  answer(attempt: Attempt): void
  hasWaited: boolean
}

/** `judges`: how many passwords are checked at the same time; as many as are hashed unless it is said. */
export function attemptLimiter(failuresPerMinute: number, clock: () => number, judges = hashesAtOnce): AttemptLimiter {
  const budget = failureBudget(failuresPerMinute, clock)
  // Attempts are committed while others are checked. The bound holds when the database does not answer.
  const maxRunning = 8 * judges
  const together = { waiting: maxWaitingTogether, underway: 2 * judges }
  const known = fairQueue<Waiting>(together)
  const strangers = fairQueue<Waiting>(together)
  let checking = 0
  let running = 0
  let knownLately = 0

  const mayBegin = ({ networks }: Waiting): boolean => budget.hasRoom(networks)

  function next(): Place<Waiting> | undefined {
    const knownFirst = knownLately < knownInARow
    const place = (knownFirst && known.next(mayBegin)) || undefined
    if (place !== undefined) {
      knownLately = strangers.waiting() === 0 ? 0 : knownLately + 1
      return place
    }
    const stranger = strangers.next(mayBegin)
    if (stranger !== undefined) knownLately = 0
    return stranger ?? (knownFirst ? undefined : known.next(mayBegin))
  }

  function begin({ item, release }: Place<Waiting>): void {
    running += 1
    checking += 1
    const end = budget.begin(item.networks)
    let isChecked = false
    const checked = (): void => {
      if (!isChecked) checking -= 1
      isChecked = true
    }
    item.answer({
      allowed: true,
      waited: item.hasWaited,
      checked() {
        checked()
        moveOn()
      },
      settle(outcome) {
        checked()
        running -= 1
        end(outcome === 'failed')
        release()
        if (outcome === 'failed') refuseExhausted()
        moveOn()
      },
    })
  }

  function refuseExhausted(): void {
    for (const queue of [known, strangers]) {
      for (const item of queue.remove(({ networks }) => budget.exhaustedForMs(networks) !== undefined)) {
        item.answer({ allowed: false, exhausted: true, retryAfterSeconds: secondsOf(item.networks) ?? 1 })
      }
    }
  }

  function moveOn(): void {
    while (checking < judges && running < maxRunning) {
      const place = next()
      if (place === undefined) return
      begin(place)
    }
  }

  function secondsOf(networks: readonly Network[]): number | undefined {
    const leftMs = budget.exhaustedForMs(networks)
    return leftMs === undefined ? undefined : Math.max(1, Math.ceil(leftMs / 1000))
  }

  return {
    exhausted: (address) => secondsOf(networksOf(address)),
    load: () => ({ running, waiting: known.waiting() + strangers.waiting() }),
    async take(address, { account, known: isKnown = false } = {}) {
      const networks = networksOf(address)
      const retryAfterSeconds = secondsOf(networks)
      if (retryAfterSeconds !== undefined) return { allowed: false, exhausted: true, retryAfterSeconds }
      const { promise, resolve } = Promise.withResolvers<Attempt>()
      const waiting: Waiting = { networks, answer: resolve, hasWaited: false }
      const queue = isKnown ? known : strangers
      const refuse = (item: Waiting | undefined): void =>
        item?.answer({ allowed: false, exhausted: false, retryAfterSeconds: comeAgainSeconds })
      refuse(queue.add(waiting, claimsOf(networks, account)))
      moveOn()
      waiting.hasWaited = true
      if (known.waiting() + strangers.waiting() > maxWaiting) {
        const crowded = strangers.waiting() > 0 && known.waiting() <= maxKnownWaiting ? strangers : known
        refuse(crowded.giveWay())
      }
      return promise
    },
    allow(changed) {
      budget.allow(changed)
      refuseExhausted()
      moveOn()
    },
  }
}

function claimsOf(networks: readonly Network[], account: string | undefined): Claim[] {
  const claims = networks.map(({ key, prefix }) => ({ key: `network ${key}`, turns: turns[prefix], liable: true }))
  if (account === undefined) return claims
  // A hash: a slice of a form would keep the whole form in memory. Refusals do not count against an account, because
  // attacks are made on it, not by it.
  return [...claims, { key: `account ${hash('sha256', account, 'base64url')}`, turns: 1, liable: false }]
}
