/**
 * Places at which a trail is not as it was written, and which an operator looked into and accepted as they are. A
 * checkpoint has them, signed; each pins what is at its place, so that a later change there is found again.
 */
import { hashOf, hashOfStatement } from './chain.ts'
import type { StoredAuditEntry } from './entry.ts'
import type { Fault } from './fault.ts'

/** Entries `from` to `seq` although they say a time that was signed already; `hash`: of the last of them. */
type LateRun = { readonly writer: string; readonly from: number; readonly seq: number; readonly hash: string }

export type Place =
  /** An entry as it stands, which is not as it was written. */
  | { readonly writer: string; readonly seq: number; readonly content: string }
  /** An entry with which the chain goes on after entry `after` and its `hash`, although others were between them. */
  | {
      readonly writer: string
      readonly seq: number
      readonly content: string
      readonly after: number
      readonly hash: string
    }
  | LateRun
  /** A chain of which nothing is there after entry `seq`, although entry `signed` was signed. */
  | { readonly writer: string; readonly seq: number; readonly signed: number; readonly hash: string }
  /** A checkpoint as it stands, and after the one that stands before it; null: there is none. Hashes of their statements. */
  | { readonly checkpoint: number; readonly statement: string; readonly previous: string | null }

export type AcceptedPlace = {
  readonly place: Place
  /** As it was found. */
  readonly fault: Fault
}

/** Part of a signed statement. */
export type Acknowledged = {
  /** Epoch milliseconds. */
  readonly at: number
  readonly actor: string
  readonly reason: string
  readonly places: readonly AcceptedPlace[]
}

/** A place that was met, and who accepted it. */
export type Met = AcceptedPlace & Omit<Acknowledged, 'places'>

export function entryPlace(entry: StoredAuditEntry): Place {
  return { writer: entry.writer, seq: entry.seq, content: contentOf(entry) }
}

/** `before`: the last entry of its chain that is there. */
export function gapPlace(entry: StoredAuditEntry, before: { readonly seq: number; readonly hash: string }): Place {
  const { writer, seq } = entry
  return { writer, seq, content: contentOf(entry), after: before.seq, hash: before.hash }
}

/** Covers an entry and its hash, as they are stored. */
const contentOf = (entry: StoredAuditEntry): string => hashOf(entry.hash, entry)

/** `previous`: the hash of the statement before it. */
export function checkpointPlace(
  { number, statement }: { readonly number: number; readonly statement: string },
  previous: string | null,
): Place {
  return { checkpoint: number, statement: hashOfStatement(statement), previous }
}

export type Judge = {
  /** The fault; or undefined, because its place was accepted, or is gathered with the others. */
  of(fault: Fault, place: Place): Fault | undefined
  /** The same for an entry that says too early a time. */
  ofLate(fault: Fault, entry: StoredAuditEntry): Fault | undefined
  /** Accepted places that were met. */
  readonly met: readonly Met[]
  /** Places of faults that nobody has accepted yet, with `gathers` alone. */
  readonly gathered: readonly AcceptedPlace[]
}

/** `gathers`: no fault stands, and each is kept with its place. */
export function judgeWith(acknowledged: readonly Acknowledged[], gathers: boolean): Judge {
  const accepted = new Map<string, Met>()
  const late = new Map<string, { readonly run: LateRun; readonly one: Met }[]>()
  for (const { places, ...by } of acknowledged) {
    for (const one of places) {
      const { place } = one
      accepted.set(keyOf(place), { ...one, ...by })
      if (!('from' in place)) continue
      const known = late.get(place.writer) ?? []
      late.set(place.writer, [...known, { run: place, one: { ...one, ...by } }])
    }
  }
  const met = new Set<Met>()
  const gathered = new Map<string, AcceptedPlace>()
  /** The run of late entries that is being gathered, by writer. */
  const runs = new Map<string, { readonly run: LateRun; readonly fault: Fault }>()

  function standing(fault: Fault, known: Met | undefined): Fault | undefined {
    if (known === undefined) return fault
    met.add(known)
    return undefined
  }

  return {
    of(fault, place) {
      const stands = standing(fault, accepted.get(keyOf(place)))
      if (stands === undefined || !gathers) return stands
      gathered.set(keyOf(place), { place, fault })
      return undefined
    },
    ofLate(fault, { writer, seq, hash }) {
      const known = late.get(writer)?.find(({ run }) => holds(run, seq, hash))
      const stands = standing(fault, known?.one)
      if (stands === undefined || !gathers) return stands
      const before = runs.get(writer)
      const goesOn = before !== undefined && before.run.seq === seq - 1
      const next = {
        run: { writer, from: goesOn ? before.run.from : seq, seq, hash },
        fault: goesOn ? before.fault : fault,
      }
      runs.set(writer, next)
      // One place for a whole run of entries, kept under its beginning.
      gathered.set(`${writer} from ${next.run.from}`, { place: next.run, fault: next.fault })
      return undefined
    },
    get met() {
      return [...met]
    },
    get gathered() {
      return [...gathered.values()]
    },
  }
}

/** The hash of the last entry covers all those before it. */
function holds({ from, seq: last, hash }: LateRun, seq: number, found: string): boolean {
  return seq >= from && (seq < last || (seq === last && found === hash))
}

const keyOf = (place: Place): string => JSON.stringify(Object.entries(place).sort(([a], [b]) => (a < b ? -1 : 1)))
