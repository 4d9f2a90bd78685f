/**
 * Checks that the oldest entries may be removed. After a cut is signed, what was before it can no longer be proven, so
 * the entries are verified first: each follows the previous one, from the beginning or the last cut, and a checkpoint
 * covers them. Accepted faults may be removed as they stand.
 */
import type { AuditCheckpoint, AuditPart } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Acknowledged, checkpointPlace, entryPlace, gapPlace, judgeWith, type Place } from './acknowledged.ts'
import { hashOf, hashOfStatement, refusalsMark } from './chain.ts'
import { type Attested, contentOf, type Statement, saysOfOthers } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'
import { lastHashOf, Summaries } from './thinning.ts'

/** The oldest entries fail verification. Nothing is removed, so that `audit verify` can find the fault. */
export class NotIntact extends Error {}

/** Bounds the cuts kept per writer: those signed since the last removal whose entries are still there. */
const cutsAtMost = 512

/** Rows read at once. Bounds how long the event loop is blocked. */
const portion = 1000

export type RemovalCheck = {
  /**
   * Returns the last entry before `endMs` of each writer of the part, and the number of entries. `last` is the last checkpoint, its
   * signature checked. Reads about `atMost` entries; undefined: there are more, and the next call goes on. Throws
   * `NotIntact`.
   */
  cutsBefore(
    endMs: number,
    last: AuditCheckpoint,
    part: AuditPart,
    atMost?: number,
  ): Promise<{ readonly cuts: Attested[]; readonly entries: number } | undefined>
  /** Returns the number of signed entries in chains of acts that were not removed. Throws `NotIntact`. */
  countActs(last: AuditCheckpoint): Promise<number>
}

/** How far a check came. */
type Walk = {
  readonly endMs: number
  readonly tails: Map<string, StoredAuditEntry>
  after: StoredAuditEntry | undefined
  entries: number
}

/** `reader`: reads statements signed by this service. */
export function removalCheck(
  audit: Pick<Storage['audit'], 'checkpoints' | 'stored'>,
  reader: () => Promise<(statement: string) => Promise<Statement | undefined>>,
): RemovalCheck {
  const signed = new Map<string, Attested>()
  /** By writer, then by number. */
  const cuts = new Map<string, Map<number, Attested>>()
  const acknowledged: Acknowledged[] = []
  let summaries = new Summaries()
  const walks = new Map<AuditPart, Walk>()
  let judge = judgeWith(acknowledged, false)
  let known: { readonly number: number; readonly hash: string | null } = { number: 0, hash: null }

  async function* rowsUpTo(last: AuditCheckpoint): AsyncIterable<AuditCheckpoint> {
    for (let after = known.number; after < last.number; ) {
      const rows = await audit.checkpoints(after, Math.min(portion, last.number - after))
      if (rows.length === 0) throw brokenAt(after + 1)
      for (const row of rows) if (row.number <= last.number) yield row
      after = rows.at(-1)?.number ?? after
    }
  }

  /** An acknowledgement, or a summary, comes after the checkpoints that it is about, so all are read first. */
  async function readLater(last: AuditCheckpoint): Promise<void> {
    for await (const { statement } of rowsUpTo(last)) {
      if (!saysOfOthers(contentOf(statement))) continue
      const said = await (await reader())(statement)
      if (said?.acknowledged !== undefined) acknowledged.push(said.acknowledged)
      summaries.add(said?.summaries ?? [])
    }
    judge = judgeWith(acknowledged, false)
  }

  /** Each statement contains the hash of the one before it, so the last signature covers them all. */
  async function follow(last: AuditCheckpoint): Promise<void> {
    if (known.number < last.number) await readLater(last)
    for await (const { number, statement } of rowsUpTo(last)) {
      takeSummaries(number)
      let content = contentOf(statement)
      if (number !== known.number + 1 || content?.number !== number || content.previous !== known.hash) {
        if (!accepts(checkpointPlace({ number, statement }, known.hash))) throw brokenAt(known.number + 1)
        content = await (await reader())(statement)
      }
      known = { number, hash: hashOfStatement(statement) }
      if (content?.number === number) remember(content)
    }
    if (known.hash !== hashOfStatement(last.statement)) throw brokenAt(last.number)
    summaries = new Summaries()
  }

  /** Follows what stands for removed checkpoints before this number. */
  function takeSummaries(beforeNumber: number): void {
    while (known.number + 1 < beforeNumber) {
      const summary = summaries.after(known.number, known.hash)
      if (summary === undefined || summary.to >= beforeNumber) return
      remember(summary)
      known = { number: summary.to, hash: lastHashOf(summary) }
    }
  }

  const accepts = (place: Place): boolean => judge.of(anyFault, place) === undefined

  function remember({ tails, cuts: cutHere = [] }: Pick<Statement, 'tails' | 'cuts'>): void {
    for (const tail of tails) if (tail.seq > (signed.get(tail.writer)?.seq ?? 0)) signed.set(tail.writer, tail)
    for (const cut of cutHere) {
      const ofWriter = cuts.get(cut.writer) ?? new Map<number, Attested>()
      cuts.set(cut.writer, ofWriter.set(cut.seq, cut))
      const [first] = ofWriter.keys()
      if (ofWriter.size > cutsAtMost && first !== undefined) ofWriter.delete(first)
    }
  }

  /** Returns the writer's new last entry: this one, unless it is an accepted entry beside the chain. */
  function next(tail: StoredAuditEntry | undefined, entry: StoredAuditEntry): StoredAuditEntry {
    const { writer, seq } = entry
    if (tail !== undefined && seq <= tail.seq) {
      if (!accepts(entryPlace(entry))) throw notInPlace(entry, 'another entry has its number')
      return tail
    }
    // Entries after the tail may have been removed since the walk read it.
    const cut = cuts.get(writer)?.get(seq - 1)
    const before = (tail?.seq === seq - 1 ? tail : cut) ?? tail ?? (seq === 1 ? { seq: 0, hash: '' } : undefined)
    if (before?.seq !== seq - 1) {
      const cutBefore = [...(cuts.get(writer)?.values() ?? [])].filter((cut) => cut.seq < seq).at(-1)
      const place = gapPlace(entry, tail ?? cutBefore ?? { seq: 0, hash: '' })
      if (!accepts(place)) throw notInPlace(entry, 'the one before it is missing')
    } else if (hashOf(before.hash, entry) !== entry.hash && !accepts(entryPlace(entry))) {
      throw notInPlace(entry, 'its content does not match its hash')
    }
    return entry
  }

  return {
    async cutsBefore(endMs, last, part, atMost = Number.POSITIVE_INFINITY) {
      await follow(last)
      const begun = walks.get(part)
      const walk = begun?.endMs === endMs ? begun : { endMs, tails: new Map(), after: undefined, entries: 0 }
      // Begins anew after a failure.
      walks.delete(part)
      const { tails } = walk
      for (let read = 0, goesOn = true; goesOn; read += portion) {
        if (read >= atMost) {
          walks.set(part, walk)
          return undefined
        }
        const rows = await audit.stored(walk.after, portion, part)
        const old = rows.filter(({ atMs }) => atMs < endMs)
        for (const entry of old) tails.set(entry.writer, next(tails.get(entry.writer), entry))
        walk.after = rows.at(-1)
        walk.entries += old.length
        goesOn = old.length === portion
      }
      for (const tail of tails.values()) {
        const attested = signed.get(tail.writer)
        const isSigned = attested !== undefined && tail.seq <= attested.seq
        if (!isSigned) throw notInPlace(tail, 'no checkpoint covers it')
        const isOther = tail.seq === attested.seq && tail.hash !== attested.hash
        if (isOther && !accepts(entryPlace(tail))) throw notInPlace(tail, 'it is not the one signed')
      }
      const cuts = [...tails.values()].map(({ writer, seq, hash }) => ({ writer, seq, hash }))
      return { cuts, entries: walk.entries }
    },
    async countActs(last) {
      await follow(last)
      const acts = [...signed.values()].filter(({ writer }) => writer < refusalsMark)
      return acts.reduce((sum, { writer, seq }) => sum + seq - Math.max(0, ...(cuts.get(writer)?.keys() ?? [])), 0)
    },
  }
}

/** An acknowledgement pins the place, not the kind of fault. */
const anyFault = { kind: 'changed', what: '' } as const

const notInPlace = ({ writer, seq }: Pick<StoredAuditEntry, 'writer' | 'seq'>, what: string): NotIntact =>
  new NotIntact(`entry ${seq} of writer ${writer}: ${what}`)

const brokenAt = (number: number): NotIntact =>
  new NotIntact(`checkpoint ${number} does not lead to the last one that was signed`)
