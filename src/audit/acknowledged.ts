/**
 * Faults of a trail, and those among them that an operator investigated and accepted. A signed checkpoint records each
 * accepted place together with a hash of its content, so that a later change there is detected again.
 */
import { type Judged, judge, lineFault, problem } from '../problem.ts'
import { hashOf, hashOfStatement } from './chain.ts'
import type { StoredAuditEntry } from './entry.ts'
import { isoTime } from './record.ts'

/** A fault at one place of a trail. */
export type Fault = {
  /**
   * `changed`: the content of an entry or checkpoint was altered. `removed`: it is missing. `moved`: it is out of
   * place. `forged`: it was inserted later, or the chain was rebuilt.
   */
  readonly kind: 'changed' | 'removed' | 'moved' | 'forged'
  /** The first faulty entry; absent if a checkpoint is faulty. */
  readonly entry?: { readonly writer: string; readonly seq: number; readonly atMs: number | null }
  readonly checkpoint?: number
  /** A sentence that describes the fault. */
  readonly what: string
}

const whatHappened = { changed: 'was changed', removed: 'was removed', moved: 'was moved', forged: 'is forged' }

/** Returns a sentence without its full stop. */
export function placeText({ kind, entry, checkpoint, what }: Fault): string {
  if (entry === undefined) return `checkpoint ${checkpoint} ${whatHappened[kind]}: ${what}`
  const time = entry.atMs === null ? '' : kind === 'removed' ? `after ${isoTime(entry.atMs)}` : isoTime(entry.atMs)
  return `entry ${entry.seq} of writer ${entry.writer}${time === '' ? '' : ` (${time})`} ${whatHappened[kind]}: ${what}`
}

/** Accepts entries `from` to `seq` although their time was signed before; `hash`: of the last of them. */
type LateRun = { readonly writer: string; readonly from: number; readonly seq: number; readonly hash: string }

export type Place =
  /** Accepts an entry whose content does not match its hash, as it stands. */
  | { readonly writer: string; readonly seq: number; readonly content: string }
  /** Accepts a gap: this entry follows entry `after` with its `hash`, although others were between them. */
  | {
      readonly writer: string
      readonly seq: number
      readonly content: string
      readonly after: number
      readonly hash: string
    }
  | LateRun
  /** Accepts a chain that ends at entry `seq`, although entry `signed` was signed. */
  | { readonly writer: string; readonly seq: number; readonly signed: number; readonly hash: string }
  /**
   * Accepts a checkpoint as it stands, directly after `previous`; null: it is the first. Both are hashes of statements.
   */
  | { readonly checkpoint: number; readonly statement: string; readonly previous: string | null }

export type AcceptedPlace = {
  readonly place: Place
  /** As found. */
  readonly fault: Fault
}

/** The acknowledgement within a signed statement. */
export type Acknowledged = {
  /** In epoch milliseconds. */
  readonly at: number
  readonly actor: string
  readonly reason: string
  readonly places: readonly AcceptedPlace[]
}

/** An accepted place found in the trail, with who accepted it. */
export type Met = AcceptedPlace & Omit<Acknowledged, 'places'>

/** A trail with more faults is not the one that was written. */
const placesAtMost = 1000
const reasonLength = 500

/** Returns the fault of an acknowledgement's reason, as the end of a sentence; undefined: none. */
export function faultOfReason(reason: string): string | undefined {
  return lineFault(reason, reasonLength)
}

/** Decides whether these places may be acknowledged. `isAhead`: the last checkpoint is dated in the future. */
export function checkAcknowledgement(
  places: readonly AcceptedPlace[],
  isAhead: boolean,
): Judged<readonly AcceptedPlace[]> {
  const [few, many] = [places.length === 0 && !isAhead, places.length > placesAtMost]
  const excess = `is damaged at ${places.length} places, more than ${placesAtMost}`
  return judge(places, [
    ...(few ? [problem('places', 'There', 'is nothing to acknowledge: the audit trail is intact')] : []),
    ...(many ? [problem('places', 'The audit trail', excess)] : []),
  ])
}

export function entryPlace(entry: StoredAuditEntry): Place {
  return { writer: entry.writer, seq: entry.seq, content: contentOf(entry) }
}

/** `before`: the last entry of its chain that still exists. */
export function gapPlace(entry: StoredAuditEntry, before: { readonly seq: number; readonly hash: string }): Place {
  const { writer, seq } = entry
  return { writer, seq, content: contentOf(entry), after: before.seq, hash: before.hash }
}

/** Covers an entry and its hash as stored. */
const contentOf = (entry: StoredAuditEntry): string => hashOf(entry.hash, entry)

/** `previous`: the hash of the preceding statement. */
export function checkpointPlace(
  { number, statement }: { readonly number: number; readonly statement: string },
  previous: string | null,
): Place {
  return { checkpoint: number, statement: hashOfStatement(statement), previous }
}

export type Judge = {
  /** Adds what operators accepted. */
  accept(acknowledged: Acknowledged): void
  /** Returns the fault, or undefined if its place was accepted or gathered. */
  of(fault: Fault, place: Place): Fault | undefined
  /** The same for an entry with too early a time. */
  ofLate(fault: Fault, entry: StoredAuditEntry): Fault | undefined
  /** Accepted places found in the trail. */
  readonly met: readonly Met[]
  /** Faults without an acknowledgement; filled only with `gathers`. */
  readonly gathered: readonly AcceptedPlace[]
}

/** `gathers`: collects every fault with its place instead of returning it. */
export function openJudge(gathers = false): Judge {
  const accepted = new Map<string, Met>()
  const late = new Map<string, { readonly run: LateRun; readonly one: Met }[]>()
  const met = new Set<Met>()
  const gathered = new Map<string, AcceptedPlace>()
  /** The current run of late entries, by writer. */
  const runs = new Map<string, { readonly run: LateRun; readonly fault: Fault }>()

  function standing(fault: Fault, known: Met | undefined): Fault | undefined {
    if (known === undefined) return fault
    met.add(known)
    return undefined
  }

  return {
    accept({ places, ...by }) {
      for (const one of places) {
        const { place } = one
        accepted.set(keyOf(place), { ...one, ...by })
        if (!('from' in place)) continue
        const known = late.get(place.writer) ?? []
        late.set(place.writer, [...known, { run: place, one: { ...one, ...by } }])
      }
    },
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
      // Records a whole run of entries as one place, keyed by its start.
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

/** The hash of the last entry covers all entries before it. */
function holds({ from, seq: last, hash }: LateRun, seq: number, found: string): boolean {
  return seq >= from && (seq < last || (seq === last && found === hash))
}

const keyOf = (place: Place): string => JSON.stringify(Object.entries(place).sort(([a], [b]) => (a < b ? -1 : 1)))
