/**
 * A queue in which parties (networks, accounts) take turns, however many items each of them has waiting. Pure and
 * deterministic: no clock, no randomness. Memory is bounded by what waits, what is under way and `maxRemembered`.
 *
 * Start-time fair queuing: each party has a virtual clock that advances with every turn it gets, and the next turn goes to
 * the item whose parties are furthest behind. An item that belongs to several parties is as far as the one furthest ahead,
 * so that the many small networks inside a large one get no more than the large one may have.
 */

/** What an item is counted under. */
export type Claim = {
  /** Names the party. */
  readonly key: string
  /** Turns that the party gets while others get one. */
  readonly turns: number
  /** Whether refusals count against the party. */
  readonly liable: boolean
}

/** What one party may have. */
export type PartyLimits = { readonly waiting: number; readonly underway: number }

export type Place<Item> = {
  readonly item: Item
  /** Gives the place back when the work has ended. Called once. */
  release(): void
}

export type FairQueue<Item> = {
  waiting(): number
  /**
   * Adds an item; its first claim is the smallest party. Returns the item that gives way when a party has more waiting
   * than it may: an earlier one, or this one.
   */
  add(item: Item, claims: readonly Claim[]): Item | undefined
  /** Takes out the next item that may begin, and charges its parties a turn. Undefined: none may begin. */
  next(mayBegin: (item: Item) => boolean): Place<Item> | undefined
  /** Takes out the newest item of the heaviest party. Undefined when nothing waits. */
  giveWay(): Item | undefined
  /** Takes out the items that will never begin. */
  remove(isOver: (item: Item) => boolean): Item[]
}

type Party = Claim & { clock: number; waiting: number; underway: number }
type Entry<Item> = { readonly item: Item; readonly parties: readonly Party[] }

/** Head start, in turns, of a party that had no turn lately. */
const firstTurn = 0.5
/** Turns by which refusals put a party back at most, so that an office behind one address recovers soon. */
const maxPenalty = 8
/** Divides the speed at which the start of new parties advances; see `next`. */
const creep = 4
/** Parties without an item that are remembered because they are ahead of the others. The oldest are forgotten first. */
const maxRemembered = 10_000

export function fairQueue<Item>(limits: PartyLimits): FairQueue<Item> {
  // In order of arrival.
  const entries: Entry<Item>[] = []
  const parties = new Map<string, Party>()
  /** Start of the clock of a new party, less its head start. Advances until the queue is empty. */
  let now = 0
  let underway = 0
  /** Smallest parties that have something waiting. */
  let crowd = 0

  function partyOf(claim: Claim): Party {
    const known = parties.get(claim.key)
    const party = known ?? { ...claim, clock: now - firstTurn, waiting: 0, underway: 0 }
    if (known === undefined) parties.set(claim.key, party)
    else if (isIdle(known)) known.clock = Math.max(known.clock, now - firstTurn)
    return party
  }

  function takeOut(entry: Entry<Item>): void {
    entries.splice(entries.indexOf(entry), 1)
    for (const party of entry.parties) party.waiting -= 1
    if (entry.parties[0]?.waiting === 0) crowd -= 1
  }

  function dismiss(entry: Entry<Item>): Item {
    takeOut(entry)
    for (const party of entry.parties) {
      const penalty = Math.min(party.clock + 1 / party.turns, now + maxPenalty)
      if (party.liable) party.clock = Math.max(party.clock, penalty)
    }
    forget(entry.parties)
    return entry.item
  }

  function forget(maybeIdle: readonly Party[]): void {
    for (const party of maybeIdle) {
      if (isIdle(party) && party.clock <= now - firstTurn) parties.delete(party.key)
    }
    if (entries.length === 0 && underway === 0) {
      // No party is left to compare with another.
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

  /** The newest item of the party that will be furthest ahead. */
  function last(candidates: readonly Entry<Item>[]): Entry<Item> | undefined {
    let found: Entry<Item> | undefined
    let foundRank: Rank = lowest
    for (const entry of candidates) {
      const rank = rankOf(entry.parties, end)
      if (compare(rank, foundRank) < 0) continue
      found = entry
      foundRank = rank
    }
    return found
  }

  /** The oldest item that may begin, of the parties furthest behind. */
  function first(mayBegin: (item: Item) => boolean): Entry<Item> | undefined {
    let found: Entry<Item> | undefined
    let foundRank: Rank = highest
    for (const entry of entries) {
      const rank = rankOf(entry.parties, position)
      if (compare(rank, foundRank) >= 0 || entry.parties.some(isBusy) || !mayBegin(entry.item)) continue
      found = entry
      foundRank = rank
    }
    return found
  }

  const isBusy = (party: Party): boolean => party.underway >= limits.underway

  return {
    waiting: () => entries.length,
    add(item, claims) {
      const entry = { item, parties: claims.map(partyOf) }
      entries.push(entry)
      for (const party of entry.parties) party.waiting += 1
      if (entry.parties[0]?.waiting === 1) crowd += 1
      const full = entry.parties.find((party) => party.waiting > limits.waiting)
      if (full === undefined) return undefined
      const [gives = entry] = [last(entries.filter((one) => one.parties.includes(full)))]
      return dismiss(gives)
    },
    next(mayBegin) {
      const entry = first(mayBegin)
      if (entry === undefined) return undefined
      const { item, parties: charged } = entry
      takeOut(entry)
      // New parties start where the others are. The start advances even while only new parties are served, so that
      // those with an earlier turn get their next one under an endless stream of new parties.
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
      const gives = last(entries)
      return gives && dismiss(gives)
    },
    remove(isOver) {
      const over = entries.filter(({ item }) => isOver(item))
      for (const entry of over) {
        takeOut(entry)
        forget(entry.parties)
      }
      return over.map(({ item }) => item)
    },
  }
}

function isIdle(party: Party): boolean {
  return party.waiting === 0 && party.underway === 0
}

/** How far a party has got. */
function position(party: Party): number {
  return party.clock
}

/** How far a party will be when everything it has waiting has had its turn. */
function end(party: Party): number {
  return party.clock + party.waiting / party.turns
}

/** Order of items: by the party furthest ahead; with that one in common, by the others. */
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
