/** What the checkpoints prove about the entries, once their signatures and their order are checked. */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import { checkpointPlace, type Judge } from './acknowledged.ts'
import { hashOfStatement } from './chain.ts'
import type { Attested, Statement } from './checkpoint.ts'
import type { Fault } from './fault.ts'

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
  /** The last such entry of a writer before that number; undefined: there is none. */
  cutBefore(writer: string, seq: number): Attested | undefined
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

/** The checkpoint before: its number, 0 for none, the hash of its statement, and how far all were signed. */
type Before = { readonly number: number; readonly hash: string | null; readonly reachMs: number }

/** `anchor`: the hash of a checkpoint that was kept outside, which must be among those that are there. */
export async function readProof(
  read: (statement: string) => Promise<Statement | undefined>,
  checkpoints: AsyncIterable<readonly AuditCheckpoint[]>,
  judge: Pick<Judge, 'of'>,
  anchor: string | undefined,
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

  /** Undefined: all that it says may be believed, or is accepted. */
  function take(row: AuditCheckpoint, said: Statement): Fault | undefined {
    for (const cut of said.cuts ?? []) {
      const found = cutFault(row.number, cut, lasts.get(cut.writer)?.seq ?? 0, of(cut.writer, cut.seq))
      const stands = found && judge.of(found, checkpointPlace(row, before.hash))
      if (stands !== undefined) return stands
      if (found === undefined) cuts.set(cut.writer, (cuts.get(cut.writer) ?? new Map()).set(cut.seq, cut))
    }
    // Who signs looks back by their own clock, too, so that one clock that is fast makes no entry of the others look old.
    const newSinceMs = Math.min(before.reachMs, said.reach)
    for (const tail of said.tails) {
      const kept = tails.get(tail.writer) ?? new Map<number, Signed>()
      if (kept.size >= keptAtMost) thinOut(kept)
      // A process that has just started may name again what was signed before.
      tails.set(tail.writer, kept.set(tail.seq, kept.get(tail.seq) ?? { ...tail, newSinceMs }))
      if (tail.seq > (lasts.get(tail.writer)?.seq ?? 0)) lasts.set(tail.writer, tail)
    }
    return undefined
  }

  for await (const portion of checkpoints) {
    for (const row of portion) {
      const said = await read(row.statement)
      const found = checkpointFault(row, said, before)
      fault = found && judge.of(found, checkpointPlace(row, before.hash))
      // One that was accepted although it is not signed, or is another one, says nothing.
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
    return { kind: 'changed', checkpoint: number, what: 'its row does not say what was signed' }
  }
  if (statement.previous === before.hash) return undefined
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
