/**
 * Whether the oldest entries may go. Once a cut is signed nobody can prove any more what was before it, so the entries are
 * proven first: each follows on the one before, from the beginning or the last cut on, and a checkpoint covers them.
 */
import type { Audit, AuditCheckpoint, AuditPart } from '../storage/audit-port.ts'
import { hashOf, hashOfStatement, refusalsMark, type Tail } from './chain.ts'
import { type Attested, contentOf, type Statement } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'

/** The oldest entries are not as they were written: nothing goes, so that `audit verify` can find it. */
export class NotIntact extends Error {}

/** Cuts of one writer that are known at the same time: those that were signed, and not removed, since the last removal. */
const cutsAtMost = 512

/** Rows that are read at once: a few milliseconds of an event loop. */
const portion = 1000

export type RemovalCheck = {
  /**
   * The last entry before `endMs` of each writer of the part. Throws `NotIntact`. `last`: the last checkpoint; its
   * signature holds.
   */
  cutsBefore(endMs: number, last: AuditCheckpoint, part: AuditPart): Promise<Attested[]>
  /** Signed entries of chains of acts that were not removed. Throws `NotIntact`. */
  countActs(last: AuditCheckpoint): Promise<number>
}

export function removalCheck(audit: Pick<Audit, 'checkpoints' | 'stored'>): RemovalCheck {
  const signed = new Map<string, Attested>()
  /** By writer, then by number: the hash of the entry. */
  const cuts = new Map<string, Map<number, string>>()
  let known: { readonly number: number; readonly hash: string | null } = { number: 0, hash: null }

  /** Each statement has the hash of the one before it, so that the signature of the last holds for all of them. */
  async function follow(last: AuditCheckpoint): Promise<void> {
    while (known.number < last.number) {
      const rows = await audit.checkpoints(known.number, Math.min(portion, last.number - known.number))
      for (const { statement } of rows) {
        const content = contentOf(statement)
        if (content?.number !== known.number + 1 || content.previous !== known.hash) throw brokenAt(known.number + 1)
        known = { number: content.number, hash: hashOfStatement(statement) }
        remember(content)
      }
      if (rows.length === 0) throw brokenAt(known.number + 1)
    }
    if (known.hash !== hashOfStatement(last.statement)) throw brokenAt(last.number)
  }

  function remember({ tails, cuts: cutHere = [] }: Statement): void {
    for (const tail of tails) if (tail.seq >= (signed.get(tail.writer)?.seq ?? 0)) signed.set(tail.writer, tail)
    for (const { writer, seq, hash } of cutHere) {
      const ofWriter = cuts.get(writer) ?? new Map<number, string>()
      cuts.set(writer, ofWriter.set(seq, hash))
      const [first] = ofWriter.keys()
      if (ofWriter.size > cutsAtMost && first !== undefined) ofWriter.delete(first)
    }
  }

  /** The entry as the next of its writer. */
  function next(tail: Tail | undefined, entry: StoredAuditEntry): Tail {
    const { writer, seq, atMs, hash } = entry
    const before = tail ?? { seq: seq - 1, hash: seq === 1 ? '' : cuts.get(writer)?.get(seq - 1) }
    if (before.seq !== seq - 1 || before.hash === undefined) throw notInPlace(entry, 'the one before it is missing')
    if (hashOf(before.hash, entry) !== hash) throw notInPlace(entry, 'its content does not match its hash')
    return { writer, seq, atMs, hash }
  }

  return {
    async cutsBefore(endMs, last, part) {
      await follow(last)
      const tails = new Map<string, Tail>()
      for (let after: StoredAuditEntry | undefined, goesOn = true; goesOn; ) {
        const rows = await audit.stored(after, portion, part)
        const old = rows.filter(({ atMs }) => atMs < endMs)
        for (const entry of old) tails.set(entry.writer, next(tails.get(entry.writer), entry))
        after = rows.at(-1)
        goesOn = old.length === portion
      }
      for (const tail of tails.values()) {
        const attested = signed.get(tail.writer)
        const isSigned = attested !== undefined && tail.seq <= attested.seq
        if (!isSigned) throw notInPlace(tail, 'no checkpoint covers it')
        if (tail.seq === attested.seq && tail.hash !== attested.hash) throw notInPlace(tail, 'it is not the one signed')
      }
      return [...tails.values()].map(({ writer, seq, hash }) => ({ writer, seq, hash }))
    },
    async countActs(last) {
      await follow(last)
      const acts = [...signed.values()].filter(({ writer }) => writer < refusalsMark)
      return acts.reduce((sum, { writer, seq }) => sum + seq - Math.max(0, ...(cuts.get(writer)?.keys() ?? [])), 0)
    },
  }
}

const notInPlace = ({ writer, seq }: Pick<Tail, 'writer' | 'seq'>, what: string): NotIntact =>
  new NotIntact(`entry ${seq} of writer ${writer}: ${what}`)

const brokenAt = (number: number): NotIntact =>
  new NotIntact(`checkpoint ${number} does not lead to the last one that was signed`)
