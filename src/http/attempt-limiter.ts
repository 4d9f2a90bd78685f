/**
 * Decides which password attempts are checked now, which wait and which are refused. Each address has a budget of
 * failures per minute. Within it, attempts take turns by network and by account, so that neither a few addresses nor a
 * single account can starve the others. Counts per process.
 */
import { hash } from 'node:crypto'
import { type Claim, fairQueue, type Place } from '../fair-queue.ts'
import { type Network, networksOf } from './networks.ts'
import { rateLimiter } from './rate-limiter.ts'

/** Bounds memory: each waiting attempt holds its request, a few kilobytes. */
const maxWaiting = 400
/**
 * Waiting attempts per network (an address, or a /64, /56 or /48 of IPv6) or per account. Large enough for an office
 * behind one address.
 */
const maxWaitingTogether = 200
/** Once more known browsers than this are waiting, they are dropped before strangers. */
const maxKnownWaiting = 300
/** Consecutive turns that known browsers get while strangers wait. */
const knownInARow = 3
/** `Retry-After` when too many attempts are waiting. */
const busyRetryAfterSeconds = 2

/** Turns per round. A single address never gets more than one, however many its wider networks have. */
const turns: Readonly<Record<Network['prefix'], number>> = { 32: 1, 64: 1, 56: 2, 48: 4 }

export type Attempt =
  /** May be checked now. */
  | Begun
  /** The address may try again after this many whole seconds. `exhausted`: its failures used up the budget. */
  | { readonly allowed: false; readonly exhausted: boolean; readonly retryAfterSeconds: number }

export type Begun = {
  readonly allowed: true
  /** True if the attempt was queued: facts read before may be stale. */
  readonly waited: boolean
  /** Reports that the password was checked. The next check starts while this attempt commits. Implied by `settle`. */
  checked(): void
  /** Reports the outcome. Must be called exactly once. */
  settle(outcome: 'failed' | 'not_failed'): void
}

/** What determines an attempt's turn, besides its address. */
export type Attempter = {
  /** Identifies the account, whichever of its names was entered. */
  readonly account?: string
  /** Whether this browser signed in to the account before. Known browsers take precedence over strangers. */
  readonly known?: boolean
}

export type AttemptLimiter = {
  /**
   * Returns the whole seconds for which the address is blocked because its failures used up the budget; undefined: not
   * blocked.
   */
  exhausted(address: string): number | undefined
  /**
   * Requests permission to check one password. Only failures use up the budget, but no more attempts are checked in
   * parallel than failures are left. The rest wait, so parallel guesses cannot exceed the budget and parallel successes
   * all pass. Every attempt is charged a turn, including one refused because too many are waiting.
   */
  take(address: string, attempter?: Attempter): Promise<Attempt>
  /** Changes the budget. Counts are kept; waiting attempts are judged by the new budget. */
  allow(failuresPerMinute: number): void
  /** Returns how many attempts are in progress, commit included, and how many wait. */
  load(): { readonly running: number; readonly waiting: number }
}

type Waiting = {
  readonly networks: readonly Network[]
  /** `hasWaited`: the attempt was not answered at once. */
  answer(attempt: Attempt): void
  hasWaited: boolean
}

/** `judges`: how many passwords are checked in parallel, usually the number of concurrent hashes. */
export function attemptLimiter(failuresPerMinute: number, clock: () => number, judges: number): AttemptLimiter {
  const budget = rateLimiter(failuresPerMinute, clock)
  // Attempts commit while others are being checked. Bounds the work in progress when the database does not respond.
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
        item?.answer({ allowed: false, exhausted: false, retryAfterSeconds: busyRetryAfterSeconds })
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
  // Keyed by hash: a substring of a form would keep the whole form in memory. Refusals do not count against an account,
  // because it is the victim of an attack and not its source.
  return [...claims, { key: `account ${hash('sha256', account, 'base64url')}`, turns: 1, liable: false }]
}
