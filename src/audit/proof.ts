/** What the checkpoints prove about the entries, after checking their signatures and order. */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import { checkpointPlace, type Judge } from './acknowledged.ts'
import { hashOfStatement } from './chain.ts'
import type { Attested, Statement } from './checkpoint.ts'
import type { Fault } from './fault.ts'
import { lastHashOf, Summaries, standsFor } from './thinning.ts'

export type Proof = {
  readonly count: number
  readonly reachMs: number | null
  readonly fault: Fault | undefined
  /** Returns the statement about exactly this entry. */
  of(writer: string, seq: number): Attested | undefined
  /** Returns the writer's last entry in any checkpoint. */
  last(writer: string): Attested | undefined
  writers(): Iterable<string>
  /** Returns the signed cut at this entry: the writer's chain may be missing up to and including it. */
  cut(writer: string, seq: number): Attested | undefined
  /** Returns the writer's last cut before that number; undefined: none. */
  cutBefore(writer: string, seq: number): Attested | undefined
  /**
   * Returns the time up to which everything was already signed when this entry was not, in epoch milliseconds;
   * -Infinity: nothing was signed before it. An entry that claims a much older time was inserted later.
   */
  newSince(writer: string, seq: number): number
}

/** A signed entry, and the time up to which everything was signed before it. */
type Signed = Attested & { readonly newSinceMs: number }

/** Bounds the statements kept per writer. The last one proves the others; they only help to locate a fault. */
const keptAtMost = 512

/** The previous checkpoint: its number (0: none), the hash of its statement, and how far it reached. */
type Before = { readonly number: number; readonly hash: string | null; readonly reachMs: number }

/** `anchor`: the hash of a checkpoint kept elsewhere, which must be among those present or have a summary (`summaries`). */
export async function readProof(
  read: (statement: string) => Promise<Statement | undefined>,
  checkpoints: AsyncIterable<readonly AuditCheckpoint[]>,
  judge: Pick<Judge, 'of'>,
  anchor: string | undefined,
  summaries: Summaries = new Summaries(),
): Promise<Proof> {
  const tails = new Map<string, Map<number, Signed>>()
  const lasts = new Map<string, Attested>()
  const cuts = new Map<string, Map<number, Attested>>()
  let count = 0
  let before: Before = { number: 0, hash: null, reachMs: Number.NEGATIVE_INFINITY }
  let fault: Fault | undefined
  let isAnchored = anchor === undefined
  const of = (writer: string, seq: number): Attested | undefined => {
    const last = lasts.get(writer)
    return last?.seq === seq ? last : tails.get(writer)?.get(seq)
  }

  /** Returns undefined if the whole statement is trusted or accepted. */
  function take(row: AuditCheckpoint, said: Statement): Fault | undefined {
    for (const cut of said.cuts ?? []) {
      const found = cutFault(row.number, cut, lasts.get(cut.writer)?.seq ?? 0, of(cut.writer, cut.seq))
      const stands = found && judge.of(found, checkpointPlace(row, before.hash))
      if (stands !== undefined) return stands
      if (found === undefined) takeCut(cut)
    }
    // Also bounded by the signer's own clock, so that one fast clock does not make other nodes' entries look old.
    const newSinceMs = Math.min(before.reachMs, said.reach)
    for (const tail of said.tails) takeTail(tail, newSinceMs)
    return undefined
  }

  function takeCut(cut: Attested): void {
    cuts.set(cut.writer, (cuts.get(cut.writer) ?? new Map()).set(cut.seq, cut))
  }

  function takeTail(tail: Attested, newSinceMs: number): void {
    const kept = tails.get(tail.writer) ?? new Map<number, Signed>()
    if (kept.size >= keptAtMost) thinOut(kept)
    // A new process may attest again what was signed before.
    tails.set(tail.writer, kept.set(tail.seq, kept.get(tail.seq) ?? { ...tail, newSinceMs }))
    if (tail.seq > (lasts.get(tail.writer)?.seq ?? 0)) lasts.set(tail.writer, tail)
  }

  /** Follows the summaries that stand for missing checkpoints before this number. */
  function takeSummaries(beforeNumber: number): void {
    while (before.number + 1 < beforeNumber) {
      const summary = summaries.after(before.number, before.hash)
      if (summary === undefined || summary.to >= beforeNumber) return
      const newSinceMs = Math.min(before.reachMs, summary.least)
      for (const tail of summary.tails) takeTail(tail, newSinceMs)
      for (const cut of summary.cuts) takeCut(cut)
      isAnchored ||= standsFor(summary, anchor)
      count += summary.to - before.number
      before = { number: summary.to, hash: lastHashOf(summary), reachMs: summary.reach }
    }
  }

  for await (const portion of checkpoints) {
    for (const row of portion) {
      takeSummaries(row.number)
      const said = await read(row.statement)
      const found = checkpointFault(row, said, before)
      fault = found && judge.of(found, checkpointPlace(row, before.hash))
      // An accepted checkpoint without a valid signature, or with another content, proves nothing.
      const isBelieved = said?.number === row.number && said.at === row.atMs
      if (fault === undefined && isBelieved) fault = take(row, said)
      if (fault !== undefined) break
      const hash = hashOfStatement(row.statement)
      before = { number: row.number, hash, reachMs: isBelieved ? said.reach : before.reachMs }
      isAnchored ||= hash === anchor
      count += 1
    }
    if (fault !== undefined) break
  }
  if (!isAnchored) {
    fault ??= { kind: 'removed', checkpoint: before.number + 1, what: `it, or a later one, had the hash ${anchor}` }
  }
  return {
    count,
    reachMs: Number.isFinite(before.reachMs) ? before.reachMs : null,
    fault,
    of,
    last: (writer) => lasts.get(writer),
    writers: () => lasts.keys(),
    cut: (writer, seq) => cuts.get(writer)?.get(seq),
    cutBefore(writer, seq) {
      const before = [...(cuts.get(writer)?.values() ?? [])].filter((cut) => cut.seq < seq)
      return before.sort((a, b) => a.seq - b.seq).at(-1)
    },
    newSince: firstSince(tails, before.reachMs),
  }
}

/** Queries come in order of each writer's entries, so each list is scanned once. */
function firstSince(tails: ReadonlyMap<string, ReadonlyMap<number, Signed>>, otherwise: number): Proof['newSince'] {
  const ordered = new Map<string, { readonly signed: readonly Signed[]; at: number }>()
  return (writer, seq) => {
    const place = ordered.get(writer) ?? {
      signed: [...(tails.get(writer)?.values() ?? [])].sort((a, b) => a.seq - b.seq),
      at: 0,
    }
    ordered.set(writer, place)
    while ((place.signed[place.at]?.seq ?? Number.POSITIVE_INFINITY) < seq) place.at += 1
    return place.signed[place.at]?.newSinceMs ?? otherwise
  }
}

/** A cut may only name an entry that was signed before. `attested`: the statement about that entry, if known. */
function cutFault(number: number, cut: Attested, signedTo: number, attested: Attested | undefined): Fault | undefined {
  const isSigned = cut.seq <= signedTo && (attested === undefined || attested.hash === cut.hash)
  if (isSigned) return undefined
  const what = `it lets entry ${cut.seq} of writer ${cut.writer} go, which differs from what was signed before`
  return { kind: 'forged', checkpoint: number, what }
}

function checkpointFault(
  { number, atMs }: Pick<AuditCheckpoint, 'number' | 'atMs'>,
  statement: Statement | undefined,
  before: Before,
): Fault | undefined {
  if (number !== before.number + 1) {
    return { kind: 'removed', checkpoint: before.number + 1, what: 'it is missing' }
  }
  if (statement === undefined) {
    return { kind: 'forged', checkpoint: number, what: 'its signature is not one of this service' }
  }
  if (statement.number !== number || statement.at !== atMs) {
    return { kind: 'changed', checkpoint: number, what: 'its row differs from what was signed' }
  }
  if (statement.previous === before.hash) return undefined
  return { kind: 'forged', checkpoint: number, what: 'it does not follow the one before it' }
}

/** Drops every other statement; the next one takes over its `newSinceMs`. */
function thinOut(kept: Map<number, Signed>): void {
  let gone: Signed | undefined
  for (const [seq, signed] of kept) {
    if (gone === undefined) {
      gone = signed
      kept.delete(seq)
    } else {
      kept.set(seq, { ...signed, newSinceMs: Math.min(signed.newSinceMs, gone.newSinceMs) })
      gone = undefined
    }
  }
}
