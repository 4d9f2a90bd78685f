/**
 * A queue in which parties (networks, accounts) take turns, however many items each has waiting. Pure and
 * deterministic: no clock, no randomness. Memory is bounded by the waiting items, the items in progress and
 * `maxRemembered`.
 *
 * Implements start-time fair queuing. Each party has a virtual clock that advances with every turn it gets, and the
 * next turn goes to the item whose parties are furthest behind. An item that belongs to several parties ranks by the
 * one furthest ahead, so that the many small networks inside a large one together get no more than the large one's
 * share.
 */

/** A party that an item is charged to. */
export type Claim = {
  /** Identifies the party. */
  readonly key: string
  /** The party's weight: turns it gets while others get one. */
  readonly turns: number
  /** Whether refusals are charged to the party. */
  readonly liable: boolean
}

/** Limits of one party. */
export type PartyLimits = { readonly waiting: number; readonly underway: number }

export type Place<Item> = {
  readonly item: Item
  /** Frees the place when the work has ended. Must be called once. */
  release(): void
}

export type FairQueue<Item> = {
  waiting(): number
  /**
   * Adds an item. Its first claim names its smallest party. Returns the item to drop when a party exceeds its limit: an
   * earlier item, or this one.
   */
  add(item: Item, claims: readonly Claim[]): Item | undefined
  /** Removes the next item that may begin and charges its parties a turn. Returns undefined if none may begin. */
  next(mayBegin: (item: Item) => boolean): Place<Item> | undefined
  /** Removes the newest item of the heaviest party. Returns undefined if nothing waits. */
  giveWay(): Item | undefined
  /** Removes the items that will never begin. */
  remove(isOver: (item: Item) => boolean): Item[]
}

type Party = Claim & { clock: number; waiting: number; underway: number }
type Queued<Item> = { readonly item: Item; readonly parties: readonly Party[] }

/** Head start, in turns, of a party that had none recently. */
const firstTurn = 0.5
/** Upper bound, in turns, of what refusals are charged, so that an office behind one address recovers quickly. */
const maxPenalty = 8
/** Slows the advance of new parties' start; see `next`. */
const creep = 4
/** Idle parties that are remembered because they are ahead of the others. The oldest are forgotten first. */
const maxRemembered = 10_000

export function fairQueue<Item>(limits: PartyLimits): FairQueue<Item> {
  // In order of arrival.
  const queue: Queued<Item>[] = []
  const parties = new Map<string, Party>()
  /** Start of a new party's clock, before its head start. Advances until the queue is empty. */
  let now = 0
  let underway = 0
  /** Number of smallest parties that have items waiting. */
  let crowd = 0

  function partyOf(claim: Claim): Party {
    const known = parties.get(claim.key)
    const party = known ?? { ...claim, clock: now - firstTurn, waiting: 0, underway: 0 }
    if (known === undefined) parties.set(claim.key, party)
    else if (isIdle(known)) known.clock = Math.max(known.clock, now - firstTurn)
    return party
  }

  function takeOut(queued: Queued<Item>): void {
    queue.splice(queue.indexOf(queued), 1)
    for (const party of queued.parties) party.waiting -= 1
    if (queued.parties[0]?.waiting === 0) crowd -= 1
  }

  function dismiss(queued: Queued<Item>): Item {
    takeOut(queued)
    for (const party of queued.parties) {
      const penalty = Math.min(party.clock + 1 / party.turns, now + maxPenalty)
      if (party.liable) party.clock = Math.max(party.clock, penalty)
    }
    forget(queued.parties)
    return queued.item
  }

  function forget(maybeIdle: readonly Party[]): void {
    for (const party of maybeIdle) {
      if (isIdle(party) && party.clock <= now - firstTurn) parties.delete(party.key)
    }
    if (queue.length === 0 && underway === 0) {
      // No party is left to compare with.
      parties.clear()
      now = 0
      return
    }
    if (parties.size <= maxRemembered) return
    for (const [key, party] of parties) {
      if (isIdle(party)) parties.delete(key)
      if (parties.size <= maxRemembered / 2) break
    }
  }

  /** Returns the newest item of the party that would end furthest ahead. */
  function last(candidates: readonly Queued<Item>[]): Queued<Item> | undefined {
    let found: Queued<Item> | undefined
    let foundRank: Rank = lowest
    for (const queued of candidates) {
      const rank = rankOf(queued.parties, end)
      if (compare(rank, foundRank) < 0) continue
      found = queued
      foundRank = rank
    }
    return found
  }

  /** Returns the oldest item that may begin, of the parties furthest behind. */
  function first(mayBegin: (item: Item) => boolean): Queued<Item> | undefined {
    let found: Queued<Item> | undefined
    let foundRank: Rank = highest
    for (const queued of queue) {
      const rank = rankOf(queued.parties, position)
      if (compare(rank, foundRank) >= 0 || queued.parties.some(isBusy) || !mayBegin(queued.item)) continue
      found = queued
      foundRank = rank
    }
    return found
  }

  const isBusy = (party: Party): boolean => party.underway >= limits.underway

  return {
    waiting: () => queue.length,
    add(item, claims) {
      const queued = { item, parties: claims.map(partyOf) }
      queue.push(queued)
      for (const party of queued.parties) party.waiting += 1
      if (queued.parties[0]?.waiting === 1) crowd += 1
      const full = queued.parties.find((party) => party.waiting > limits.waiting)
      if (full === undefined) return undefined
      const [gives = queued] = [last(queue.filter((one) => one.parties.includes(full)))]
      return dismiss(gives)
    },
    next(mayBegin) {
      const queued = first(mayBegin)
      if (queued === undefined) return undefined
      const { item, parties: charged } = queued
      takeOut(queued)
      // New parties start level with the others. The start advances even while only new parties are served, so that an
      // endless stream of new parties cannot starve those that had a turn.
      const reached = Math.max(...charged.map(position))
      now = Math.max(now + 1 / (creep * (crowd + 1)), reached)
      for (const party of charged) {
        party.clock += 1 / party.turns
        party.underway += 1
      }
      underway += 1
      return {
        item,
        release() {
          underway -= 1
          for (const party of charged) party.underway -= 1
          forget(charged)
        },
      }
    },
    giveWay() {
      const gives = last(queue)
      return gives && dismiss(gives)
    },
    remove(isOver) {
      const over = queue.filter(({ item }) => isOver(item))
      for (const queued of over) {
        takeOut(queued)
        forget(queued.parties)
      }
      return over.map(({ item }) => item)
    },
  }
}

function isIdle(party: Party): boolean {
  return party.waiting === 0 && party.underway === 0
}

/** A party's current position. */
function position(party: Party): number {
  return party.clock
}

/** A party's position after all its waiting items. */
function end(party: Party): number {
  return party.clock + party.waiting / party.turns
}

/** Orders items by the party furthest ahead; ties are broken by the mean of all parties. */
type Rank = { readonly furthest: number; readonly mean: number }
const lowest: Rank = { furthest: Number.NEGATIVE_INFINITY, mean: 0 }
const highest: Rank = { furthest: Number.POSITIVE_INFINITY, mean: 0 }

function rankOf(parties: readonly Party[], by: (party: Party) => number): Rank {
  let furthest = Number.NEGATIVE_INFINITY
  let sum = 0
  for (const party of parties) {
    const at = by(party)
    if (at > furthest) furthest = at
    sum += at
  }
  return { furthest, mean: sum / parties.length }
}

function compare(a: Rank, b: Rank): number {
  return a.furthest - b.furthest || a.mean - b.mean
}
