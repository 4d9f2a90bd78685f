/** What the checkpoints prove about the entries, once their signatures and their order are checked. */
import type { AuditCheckpoint } from '../storage/audit-port.ts'
import type { StoredKey } from '../storage/port.ts'
import { hashOfStatement } from './chain.ts'
import { type Attested, type Statement, statementReader } from './checkpoint.ts'

export type Fault = {
  /**
   * `changed`: an entry or a checkpoint is not as it was written. `removed`: it is missing. `moved`: it is not in its place.
   * `forged`: it was put in later, or the chain was made anew.
   */
  readonly kind: 'changed' | 'removed' | 'moved' | 'forged'
  /** The first that is bad; absent when a checkpoint is. */
  readonly entry?: { readonly writer: string; readonly seq: number; readonly atMs: number | null }
  readonly checkpoint?: number
  /** A plain sentence about it. */
  readonly what: string
}

export type Proof = {
  readonly count: number
  readonly reachMs: number | null
  readonly fault: Fault | undefined
  /** What was said of this very entry. */
  of(writer: string, seq: number): Attested | undefined
  /** The last entry of a writer that any of them names. */
  last(writer: string): Attested | undefined
  writers(): Iterable<string>
  /** That entry, when a writer's chain may be missing up to it because it has become too old. */
  cut(writer: string, seq: number): Attested | undefined
  /** The number of the last such entry of a writer; 0: there is none. */
  cutTo(writer: string): number
  /**
   * The time up to which everything was signed already when this entry was not: one that says it is much older was put in
   * afterwards. Epoch milliseconds, -Infinity: nothing was signed before it.
   */
  newSince(writer: string, seq: number): number
}

/** An entry that was signed, and the time up to which everything was signed before that. */
type Signed = Attested & { readonly newSinceMs: number }

/** Statements about one writer that are kept at the same time. The last one proves the others; they only tell where. */
const keptAtMost = 512

/** `anchor`: the hash of a checkpoint that was kept outside, which must be among those that are there. */
export async function readProof(
  keys: readonly StoredKey[],
  checkpoints: AsyncIterable<readonly AuditCheckpoint[]>,
  anchor: string | undefined,
): Promise<Proof> {
  const read = statementReader(keys)
  const tails = new Map<string, Map<number, Signed>>()
  const lasts = new Map<string, Attested>()
  const cuts = new Map<string, Map<number, Attested>>()
  let count = 0
  let previous: { readonly statement: Statement; readonly text: string } | undefined
  let fault: Fault | undefined
  let isAnchored = anchor === undefined
  const of = (writer: string, seq: number): Attested | undefined => {
    const last = lasts.get(writer)
    return last?.seq === seq ? last : tails.get(writer)?.get(seq)
  }

  for await (const portion of checkpoints) {
    for (const { number, atMs, statement: text } of portion) {
      const statement = await read(text)
      fault = checkpointFault({ number, atMs }, statement, previous)
      if (fault !== undefined || statement === undefined) break
      for (const cut of statement.cuts ?? []) {
        fault ??= cutFault(number, cut, lasts.get(cut.writer)?.seq ?? 0, of(cut.writer, cut.seq))
        cuts.set(cut.writer, (cuts.get(cut.writer) ?? new Map()).set(cut.seq, cut))
      }
      // Who signs looks back by their own clock, too, so that one clock that is fast makes no entry of the others look old.
      const newSinceMs = Math.min(previous?.statement.reach ?? Number.NEGATIVE_INFINITY, statement.reach)
      for (const tail of statement.tails) {
        const kept = tails.get(tail.writer) ?? new Map<number, Signed>()
        if (kept.size >= keptAtMost) thinOut(kept)
        // A process that has just started may name again what was signed before.
        tails.set(tail.writer, kept.set(tail.seq, kept.get(tail.seq) ?? { ...tail, newSinceMs }))
        if (tail.seq >= (lasts.get(tail.writer)?.seq ?? 0)) lasts.set(tail.writer, tail)
      }
      if (fault !== undefined) break
      previous = { statement, text }
      isAnchored ||= hashOfStatement(text) === anchor
      count += 1
    }
    if (fault !== undefined) break
  }
  if (!isAnchored) {
    fault ??= { kind: 'removed', checkpoint: count + 1, what: `it, or a later one, had the hash ${anchor}` }
  }
  return {
    count,
    reachMs: previous?.statement.reach ?? null,
    fault,
    of,
    last: (writer) => lasts.get(writer),
    writers: () => lasts.keys(),
    cut: (writer, seq) => cuts.get(writer)?.get(seq),
    cutTo: (writer) => Math.max(0, ...(cuts.get(writer)?.keys() ?? [])),
    newSince: firstSince(tails, previous?.statement.reach ?? Number.NEGATIVE_INFINITY),
  }
}

/** Entries are asked about in the order of each writer, so that each of its statements is passed once. */
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

/** Only what was signed before may go. `attested`: that very entry, where it is known. */
function cutFault(number: number, cut: Attested, signedTo: number, attested: Attested | undefined): Fault | undefined {
  const isSigned = cut.seq <= signedTo && (attested === undefined || attested.hash === cut.hash)
  if (isSigned) return undefined
  const what = `it lets entry ${cut.seq} of writer ${cut.writer} go, which is not as it was signed before`
  return { kind: 'forged', checkpoint: number, what }
}

function checkpointFault(
  { number, atMs }: { readonly number: number; readonly atMs: number },
  statement: Statement | undefined,
  previous: { readonly statement: Statement; readonly text: string } | undefined,
): Fault | undefined {
  const expected = (previous?.statement.number ?? 0) + 1
  if (number !== expected) {
    return { kind: 'removed', checkpoint: expected, what: 'it is missing' }
  }
  if (statement === undefined) {
    return { kind: 'forged', checkpoint: number, what: 'its signature is not one of this service' }
  }
  if (statement.number !== number || statement.at !== atMs) {
    return { kind: 'changed', checkpoint: number, what: 'its row does not say what was signed' }
  }
  const before = previous === undefined ? null : hashOfStatement(previous.text)
  if (statement.previous === before) return undefined
  return { kind: 'forged', checkpoint: number, what: 'it does not follow the one before it' }
}

/** Every other one goes; the one after it stands for what that one was the first to sign, too. */
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
