/**
 * A queue in which those who wait take turns by party (a network, an account), not one by one. Pure and deterministic: no
 * clock, no randomness. Memory is bounded by what waits, what is under way and `maxRemembered`.
 *
 * Each party has a virtual clock that moves on with every turn it gets; the next turn is that of the item whose parties are
 * furthest behind (start-time fair queuing). An item belongs to several parties and is as far as the one that is furthest
 * ahead, so that many small networks of one large one get no more than the large one may have.
 */

/** What an item is counted under. */
export type Claim = {
  /** Names the party. */
  readonly key: string
  /** Turns that the party gets while others get one. */
  readonly turns: number
  /** Whether the party is charged for what was refused on its account. */
  readonly liable: boolean
}

/** What one party may have. */
export type PartyLimits = { readonly waiting: number; readonly underway: number }

export type Place<Item> = {
  readonly item: Item
  /** Gives the place back when what was begun with it has ended. Called once. */
  release(): void
}

export type FairQueue<Item> = {
  waiting(): number
  /**
   * The item that has to give way, because one party has more waiting than it may: an earlier one, or this one. The
   * first claim is the smallest party.
   */
  add(item: Item, claims: readonly Claim[]): Item | undefined
  /** Takes out the next item that may begin and charges its parties a turn; undefined: none may. */
  next(mayBegin: (item: Item) => boolean): Place<Item> | undefined
  /** Takes out the newest item of the party that takes most. Undefined when nothing waits. */
  giveWay(): Item | undefined
  /** Takes out what will not begin any more. */
  remove(isOver: (item: Item) => boolean): Item[]
}

type Party = Claim & { clock: number; waiting: number; underway: number }
type Entry<Item> = { readonly item: Item; readonly parties: readonly Party[] }

/** A party that had no turn lately is so far ahead of those that had one. */
const firstTurn = 0.5
/** Refusals put a party back by no more than this, so that a whole office does not pay for long. */
const maxPenalty = 8
/** How much slower than the others' clocks that of new parties moves on at least; see `next`. */
const creep = 4
/** Parties that have nothing here any more and are ahead of the others. Beyond it the oldest are forgotten. */
const maxRemembered = 10_000

export function fairQueue<Item>(limits: PartyLimits): FairQueue<Item> {
  // In the order in which they came.
  const entries: Entry<Item>[] = []
  const parties = new Map<string, Party>()
  /** Where the clock of a party starts that was not here lately. Never goes back. */
  let now = 0
  let underway = 0
  /** Those that something waits for which names them first. */
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
      // Nobody has to be compared with anybody.
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

  /** Of the last ones the newest. */
  function last(candidates: readonly Entry<Item>[]): Entry<Item> | undefined {
    let found: Entry<Item> | undefined
    for (const entry of candidates) if (found === undefined || compare(entry, found, end) >= 0) found = entry
    return found
  }

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
      let first: Entry<Item> | undefined
      for (const entry of entries) {
        if (first !== undefined && compare(entry, first, position) >= 0) continue
        if (entry.parties.some((party) => party.underway >= limits.underway)) continue
        if (mayBegin(entry.item)) first = entry
      }
      if (first === undefined) return undefined
      takeOut(first)
      // New parties start where the others are. That moves on slowly even if only new ones are served, so that those
      // who had a turn before get their next one although new parties never cease to come.
      const reached = Math.max(...first.parties.map(position))
      now = Math.max(now + 1 / (creep * (crowd + 1)), reached)
      for (const party of first.parties) {
        party.clock += 1 / party.turns
        party.underway += 1
      }
      underway += 1
      const { item, parties: charged } = first
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

/** How far a party will have got when everything of it that waits has had its turn. */
function end(party: Party): number {
  return party.clock + party.waiting / party.turns
}

/** By the party that is furthest; where that is one they share, by the others. */
function compare(a: Entry<unknown>, b: Entry<unknown>, by: (party: Party) => number): number {
  let [furthestA, sumA, furthestB, sumB] = [Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, 0]
  for (const party of a.parties) {
    const at = by(party)
    furthestA = Math.max(furthestA, at)
    sumA += at
  }
  for (const party of b.parties) {
    const at = by(party)
    furthestB = Math.max(furthestB, at)
    sumB += at
  }
  return furthestA - furthestB || sumA / a.parties.length - sumB / b.parties.length
}
