/**
 * The walk over entries in the order of their keys that a verification and a removal share: each entry follows the one before
 * it in its chain, from the beginning or a signed cut on, and is what was signed.
 */
import { entryPlace, type Fault, gapPlace, type Judge } from './acknowledged.ts'
import { hashOf, type Tail } from './chain.ts'
import { latenessMs } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'
import type { Proof } from './proof.ts'

export class Chains {
  readonly #proof: Proof
  readonly #judge: Pick<Judge, 'of' | 'ofLate'>
  /** The last entry of each writer that was passed. */
  readonly tails = new Map<string, Tail>()

  constructor(proof: Proof, judge: Pick<Judge, 'of' | 'ofLate'>) {
    this.#proof = proof
    this.#judge = judge
  }

  /** Returns the last entry of the chain that was passed, or else the last one before `seq` that a signed cut names. */
  reached(writer: string, seq: number): { readonly seq: number; readonly hash: string } {
    return this.tails.get(writer) ?? this.#proof.cutBefore(writer, seq) ?? { seq: 0, hash: '' }
  }

  /** Whether an entry of its chain is missing before this one. */
  hasGap({ writer, seq }: StoredAuditEntry): boolean {
    const tail = this.tails.get(writer)
    if (tail === undefined && this.#proof.cut(writer, seq - 1) !== undefined) return false
    return seq > (tail?.seq ?? 0) + 1
  }

  /** Returns the fault of a gap before this entry, or passes the entry if the gap was accepted. */
  gap(entry: StoredAuditEntry, fault: Fault): Fault | undefined {
    const stands = this.#judge.of(fault, gapPlace(entry, this.reached(entry.writer, entry.seq)))
    // The chain continues from this entry, whatever came before it.
    if (stands === undefined) this.#pass(entry)
    return stands
  }

  /** Returns the fault of an entry that has no gap before it, or passes it. */
  next(entry: StoredAuditEntry): Fault | undefined {
    const { writer, seq, atMs } = entry
    const where = { writer, seq, atMs }
    const tail = this.tails.get(writer)
    if (tail?.seq === seq && tail.hash === entry.hash && tail.atMs === atMs) return undefined
    if (seq <= (tail?.seq ?? 0)) {
      return this.#judge.of({ kind: 'forged', entry: where, what: 'another entry has its number' }, entryPlace(entry))
    }
    const before = tail?.hash ?? this.#proof.cut(writer, seq - 1)?.hash ?? ''
    const found = this.#contentFault(before, entry)
    const stands = found && this.#judge.of(found, entryPlace(entry))
    if (stands !== undefined) return stands
    if (atMs < this.#proof.newSince(writer, seq) - latenessMs) {
      const what = 'it is missing from checkpoints that were signed after its time'
      const late = this.#judge.ofLate({ kind: 'forged', entry: where, what }, entry)
      if (late !== undefined) return late
    }
    this.#pass(entry)
    return undefined
  }

  /** Checks the entry against its own hash and its checkpoint. */
  #contentFault(before: string, entry: StoredAuditEntry): Fault | undefined {
    const { writer, seq, atMs } = entry
    const where = { writer, seq, atMs }
    if (hashOf(before, entry) !== entry.hash) {
      return { kind: 'changed', entry: where, what: 'its content does not match its hash' }
    }
    const attested = this.#proof.of(writer, seq)
    if (attested === undefined || attested.hash === entry.hash) return undefined
    const what = 'it is not the entry that was signed: the chain was rebuilt, here or earlier'
    return { kind: 'forged', entry: where, what }
  }

  #pass({ writer, seq, atMs, hash }: StoredAuditEntry): void {
    this.tails.set(writer, { writer, seq, atMs, hash })
  }
}
