/** What the checkpoints prove about the entries, after checking their signatures and order. */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import { checkpointPlace, type Fault, type Judge } from './acknowledged.ts'
import {
  type Attested,
  contentOf,
  type Link,
  lastHashOf,
  linkFault,
  linkOf,
  type Statement,
  type StatementReader,
  Summaries,
  saysOfOthers,
  standsFor,
} from './checkpoint.ts'

/** A signed entry, and the time up to which everything was signed before it. */
type Signed = Attested & { readonly newSinceMs: number }

/** The previous checkpoint, and how far it reached. */
type Before = Link & { readonly reachMs: number }

export type ProofOptions = {
  readonly judge: Pick<Judge, 'accept' | 'of'>
  /**
   * Statements that are kept of a writer, and cuts, an even number. The last statement proves the others, which help to locate a
   * fault. Of the cuts those count that were signed since the last removal.
   */
  readonly keptAtMost: number
  /** The hash of a checkpoint kept elsewhere, which must be among those present or have a summary. */
  readonly anchor?: string | undefined
}

export class Proof {
  readonly #judge: ProofOptions['judge']
  readonly #keptAtMost: number
  readonly #anchor: string | undefined
  /** By writer, ascending by number. */
  readonly #tails = new Map<string, Signed[]>()
  readonly #lasts = new Map<string, Attested>()
  /** By writer, then by number. */
  readonly #cuts = new Map<string, Map<number, Attested>>()
  #before: Before = { number: 0, hash: null, reachMs: Number.NEGATIVE_INFINITY }
  #count = 0
  #isAnchored: boolean

  constructor({ judge, keptAtMost, anchor }: ProofOptions) {
    this.#judge = judge
    this.#keptAtMost = keptAtMost
    this.#anchor = anchor
    this.#isAnchored = anchor === undefined
  }

  /**
   * Goes on with the checkpoints after `number`, up to the last one, and returns the first fault that was not accepted.
   *
   * `signed`: the last one, whose signature was checked. Each statement has the hash of the one before it, so this signature
   * covers all of them, and no other is checked.
   */
  async follow(
    checkpoints: () => AsyncIterable<readonly AuditCheckpoint[]>,
    read: StatementReader,
    signed?: AuditCheckpoint,
  ): Promise<Fault | undefined> {
    const summaries = new Summaries()
    // An acknowledgement or a summary comes after the checkpoints that it is about, so all of them are read first.
    for await (const portion of checkpoints()) {
      for (const { statement } of portion) {
        if (!saysOfOthers(contentOf(statement))) continue
        const said = await read(statement)
        if (said?.acknowledged !== undefined) this.#judge.accept(said.acknowledged)
        summaries.add(said?.summaries ?? [])
      }
    }
    for await (const portion of checkpoints()) {
      for (const row of portion) {
        this.#passOver(summaries, row.number)
        let said = signed === undefined ? await read(row.statement) : contentOf(row.statement)
        const found = linkFault(row, said, this.#before)
        // Of an accepted checkpoint that does not follow the one before it, only the signature tells who wrote it.
        if (found !== undefined && signed !== undefined) said = await read(row.statement)
        const fault = this.#judged(found, row) ?? this.#take(row, said)
        if (fault !== undefined) return fault
      }
    }
    if (signed !== undefined && linkOf(signed).hash !== this.#before.hash) {
      return { kind: 'removed', checkpoint: signed.number, what: 'it does not follow those before it' }
    }
    if (this.#isAnchored) return undefined
    const what = `it, or a later one, had the hash ${this.#anchor}`
    return { kind: 'removed', checkpoint: this.number + 1, what }
  }

  #judged(fault: Fault | undefined, row: AuditCheckpoint): Fault | undefined {
    return fault && this.#judge.of(fault, checkpointPlace(row, this.#before.hash))
  }

  /** Returns undefined if the whole statement is trusted or accepted. */
  #take(row: AuditCheckpoint, said: Statement | undefined): Fault | undefined {
    // An accepted checkpoint without a valid signature, or with another content, proves nothing.
    const isBelieved = said?.number === row.number && said.at === row.atMs
    for (const cut of isBelieved ? (said.cuts ?? []) : []) {
      const found = this.#cutFault(row.number, cut)
      const stands = this.#judged(found, row)
      if (stands !== undefined) return stands
      if (found === undefined) this.#takeCut(cut)
    }
    // Also bounded by the signer's own clock, so that one fast clock does not make other nodes' entries look old.
    if (isBelieved) this.#takeTails(said.tails, said.reach)
    const link = linkOf(row)
    this.#goOn({ ...link, reachMs: isBelieved ? said.reach : this.#before.reachMs }, 1, link.hash === this.#anchor)
    return undefined
  }

  /** Follows the summaries that stand for missing checkpoints before this number. */
  #passOver(summaries: Summaries, beforeNumber: number): void {
    while (this.number + 1 < beforeNumber) {
      const summary = summaries.after(this.number, this.#before.hash)
      if (summary === undefined || summary.to >= beforeNumber) return
      this.#takeTails(summary.tails, summary.least)
      for (const cut of summary.cuts) this.#takeCut(cut)
      const next = { number: summary.to, hash: lastHashOf(summary), reachMs: summary.reach }
      this.#goOn(next, summary.to - this.number, standsFor(summary, this.#anchor))
    }
  }

  #goOn(before: Before, count: number, isAnchor: boolean): void {
    this.#before = before
    this.#count += count
    this.#isAnchored ||= isAnchor
  }

  #takeCut(cut: Attested): void {
    const kept = this.#cuts.get(cut.writer) ?? new Map<number, Attested>()
    this.#cuts.set(cut.writer, kept.set(cut.seq, cut))
    const [first] = kept.keys()
    if (kept.size > this.#keptAtMost && first !== undefined) kept.delete(first)
  }

  #takeTails(tails: readonly Attested[], reachMs: number): void {
    const newSinceMs = Math.min(this.#before.reachMs, reachMs)
    for (const tail of tails) {
      const known = this.#tails.get(tail.writer) ?? []
      const kept = known.length < this.#keptAtMost ? known : thinned(known)
      const at = indexFrom(kept, tail.seq)
      // A new process may attest again what was signed before.
      if (kept[at]?.seq !== tail.seq) kept.splice(at, 0, { ...tail, newSinceMs })
      this.#tails.set(tail.writer, kept)
      if (tail.seq > (this.last(tail.writer)?.seq ?? 0)) this.#lasts.set(tail.writer, tail)
    }
  }
  /** A cut may only name an entry that was signed before. */
  #cutFault(checkpoint: number, { writer, seq, hash }: Attested): Fault | undefined {
    const attested = this.of(writer, seq)
    const isSigned = seq <= (this.last(writer)?.seq ?? 0) && (attested === undefined || attested.hash === hash)
    if (isSigned) return undefined
    const what = `it lets entry ${seq} of writer ${writer} go, which differs from what was signed before`
    return { kind: 'forged', checkpoint, what }
  }

  /** The number of the last checkpoint. */
  get number(): number {
    return this.#before.number
  }

  /** How many checkpoints there are, those included that summaries stand for. */
  get count(): number {
    return this.#count
  }

  /** The time up to which checkpoints reach; null: there is none. */
  get reachMs(): number | null {
    return Number.isFinite(this.#before.reachMs) ? this.#before.reachMs : null
  }

  writers(): Iterable<string> {
    return this.#lasts.keys()
  }

  /** Returns the statement about exactly this entry. */
  of(writer: string, seq: number): Attested | undefined {
    const kept = this.#tails.get(writer) ?? []
    const [last, first] = [this.last(writer), kept[indexFrom(kept, seq)]]
    return last?.seq === seq ? last : first?.seq === seq ? first : undefined
  }

  /** Returns the writer's last entry in any checkpoint. */
  last(writer: string): Attested | undefined {
    return this.#lasts.get(writer)
  }

  /** Returns the signed cut at this entry: the writer's chain may be missing up to and including it. */
  cut(writer: string, seq: number): Attested | undefined {
    return this.#cuts.get(writer)?.get(seq)
  }

  /** Returns the writer's last cut before that number; undefined: none. */
  cutBefore(writer: string, seq: number): Attested | undefined {
    const before = [...(this.#cuts.get(writer)?.values() ?? [])].filter((cut) => cut.seq < seq)
    return before.sort((a, b) => a.seq - b.seq).at(-1)
  }

  /**
   * Returns the time up to which everything was already signed when this entry was not, in epoch milliseconds;
   * -Infinity: nothing was signed before it. An entry that claims a much older time was inserted later.
   */
  newSince(writer: string, seq: number): number {
    const kept = this.#tails.get(writer) ?? []
    return kept[indexFrom(kept, seq)]?.newSinceMs ?? this.#before.reachMs
  }
}

/** Returns the index of the first one from this number on. */
function indexFrom(kept: readonly Signed[], seq: number): number {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((kept[middle]?.seq ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** Drops every other statement; the next one takes over its `newSinceMs`. */
function thinned(kept: readonly Signed[]): Signed[] {
  const stays = kept.filter((_, at) => at % 2 === 1)
  return stays.map((one, at) => ({ ...one, newSinceMs: Math.min(one.newSinceMs, kept[2 * at]?.newSinceMs ?? 0) }))
}
