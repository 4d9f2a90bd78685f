/** Proves a trail, or finds the first entry that somebody changed, removed, moved or put in. */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { StoredKey } from '../storage/port/port.ts'
import {
  type AcceptedPlace,
  type Acknowledged,
  entryPlace,
  gapPlace,
  type Judge,
  judgeWith,
  type Met,
} from './acknowledged.ts'
import { hashOf, type Tail } from './chain.ts'
import { type Attested, contentOf, type Statement, statementReader } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'
import type { Fault } from './fault.ts'
import { latenessMs } from './keeper.ts'
import { addMissed, type Missed, nothingMissed } from './missed.ts'
import { type Proof, readProof } from './proof.ts'

export type { Fault } from './fault.ts'

/** Where the trail comes from, in order and in portions. */
export type TrailSource = {
  keys(): Promise<readonly StoredKey[]>
  checkpoints(): AsyncIterable<readonly AuditCheckpoint[]>
  entries(): AsyncIterable<readonly StoredAuditEntry[]>
  /** Entries of the time between two others, to look again. */
  between(fromMs: number, toMs: number): AsyncIterable<readonly StoredAuditEntry[]>
}

export type Verification = {
  readonly entries: number
  readonly writers: number
  readonly checkpoints: number
  /** The time up to which checkpoints reach; null: there is none, and nothing proves that the trail was not made anew. */
  readonly provenToMs: number | null
  /** Entries that no checkpoint covers yet. */
  readonly unproven: number
  /** Of the oldest entry that is kept. */
  readonly fromMs: number | null
  readonly missed: Missed
  /** Places that are not in order, and that an operator has accepted. */
  readonly acknowledged: readonly Met[]
  /** With `gathers`: the others, and the ends of their chains. */
  readonly gathered: { readonly places: readonly AcceptedPlace[]; readonly tails: readonly Attested[] }
  readonly fault: Fault | undefined
}

export type VerifyOptions = {
  /** The hash of a checkpoint that was kept outside, which must be among those that are there. */
  readonly anchor?: string | undefined
  /** Goes on after a fault, to find all of them, so that an operator can accept them. */
  readonly gathers?: boolean
}

/** `progress` is told the number of entries after each portion. */
export async function verifyTrail(
  source: TrailSource,
  progress: (entries: number) => void,
  { anchor, gathers = false }: VerifyOptions = {},
): Promise<Verification> {
  const read = statementReader(await source.keys())
  const judge = judgeWith(await acknowledgedIn(source.checkpoints(), read), gathers)
  const proof = await readProof(read, source.checkpoints(), judge, anchor)
  const trail: Trail = { source, proof, judge, tails: new Map() }
  const { tails } = trail
  let entries = 0
  let unproven = 0
  let fromMs: number | null = null
  let missed = nothingMissed
  const result = (fault: Fault | undefined): Verification => ({
    entries,
    writers: tails.size,
    checkpoints: proof.count,
    provenToMs: proof.reachMs,
    unproven,
    fromMs,
    missed,
    acknowledged: judge.met,
    gathered: { places: judge.gathered, tails: tailsAt(judge.gathered, tails) },
    fault,
  })
  if (proof.fault !== undefined) return result(proof.fault)
  for await (const portion of source.entries()) {
    for (const entry of portion) {
      fromMs ??= entry.atMs
      const fault = (await findGap(trail, entry)) ?? checkEntry(trail, entry)
      if (fault !== undefined) return result(fault)
      entries += 1
      missed = addMissed(missed, entry)
      if (entry.seq > (proof.last(entry.writer)?.seq ?? 0)) unproven += 1
    }
    progress(entries)
  }
  return result(findMissingEnd(trail))
}

/** What operators have accepted, as far as this service signed that. */
async function acknowledgedIn(
  checkpoints: AsyncIterable<readonly AuditCheckpoint[]>,
  read: (statement: string) => Promise<Statement | undefined>,
): Promise<Acknowledged[]> {
  const found: Acknowledged[] = []
  for await (const portion of checkpoints) {
    for (const { statement } of portion) {
      if (contentOf(statement)?.acknowledged === undefined) continue
      const said = await read(statement)
      if (said?.acknowledged !== undefined) found.push(said.acknowledged)
    }
  }
  return found
}

/** The ends of the chains that have such places: once they are signed, what was accepted cannot be changed. */
function tailsAt(places: readonly AcceptedPlace[], tails: ReadonlyMap<string, Tail>): Attested[] {
  const writers = new Set(places.flatMap(({ place }) => ('writer' in place ? [place.writer] : [])))
  return [...writers]
    .map((writer) => tails.get(writer))
    .filter((tail) => tail !== undefined)
    .map(({ writer, seq, hash }) => ({ writer, seq, hash }))
}

type Trail = {
  readonly source: TrailSource
  readonly proof: Proof
  readonly judge: Judge
  /** The last entry of each writer that was checked. */
  readonly tails: Map<string, Tail>
}

/** An entry before this one is not where it should be. */
async function findGap(trail: Trail, entry: StoredAuditEntry): Promise<Fault | undefined> {
  const { source, tails, proof, judge } = trail
  const { writer, atMs } = entry
  const tail = tails.get(writer)
  const expected = (tail?.seq ?? 0) + 1
  // Right after what was removed because of its age.
  if (tail === undefined && proof.cut(writer, entry.seq - 1) !== undefined) return undefined
  if (entry.seq <= expected) return undefined
  const later: StoredAuditEntry[] = []
  // It may have been committed when the reading had passed its place already, or stand at another one.
  for await (const portion of source.between(tail?.atMs ?? Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
    for (const one of portion) {
      if (one.writer !== writer || one.seq < expected || one.seq >= entry.seq) continue
      if (one.atMs > atMs) later.push(one)
      const fault = one.atMs > atMs ? undefined : checkEntry(trail, one)
      if (fault !== undefined) return fault
    }
  }
  const reached = tails.get(writer) ?? proof.cutBefore(writer, entry.seq)
  if (later.length === 0 && (reached?.seq ?? 0) + 1 === entry.seq) return undefined
  const fault = gapFault(entry, later, expected, tails.get(writer))
  const stands = judge.of(fault, gapPlace(entry, reached ?? { seq: 0, hash: '' }))
  // The chain goes on with it, whatever was before it.
  if (stands === undefined) follow(tails, entry)
  return stands
}

function gapFault(
  { writer, seq, atMs }: StoredAuditEntry,
  later: readonly StoredAuditEntry[],
  expected: number,
  reached: Tail | undefined,
): Fault {
  const [first, ...others] = later
  if (first === undefined) {
    const what = `it is missing; entry ${seq} of the same writer is there`
    return { kind: 'removed', entry: { writer, seq: (reached?.seq ?? 0) + 1, atMs: reached?.atMs ?? null }, what }
  }
  // One that comes too late, or this one too early, when others that should have come before it are still to come.
  const isLate = others.length === 0 && first.seq === expected
  const what = isLate ? `it stands after entry ${seq}` : `it stands before entry ${first.seq}`
  const entry = isLate ? { writer, seq: first.seq, atMs: first.atMs } : { writer, seq, atMs }
  return { kind: 'moved', entry, what }
}

/** One entry as the next of its writer, of which it is known that none before it is missing. Moves the tail on. */
function checkEntry({ tails, proof, judge }: Trail, entry: StoredAuditEntry): Fault | undefined {
  const { writer, seq, atMs } = entry
  const where = { writer, seq, atMs }
  const tail = tails.get(writer)
  if (tail?.seq === seq && tail.hash === entry.hash && tail.atMs === atMs) return undefined
  if (seq <= (tail?.seq ?? 0)) {
    return judge.of({ kind: 'forged', entry: where, what: 'another entry has its number' }, entryPlace(entry))
  }
  const before = tail?.hash ?? proof.cut(writer, seq - 1)?.hash ?? ''
  const found = contentFault(proof, before, entry)
  if (found !== undefined) {
    const stands = judge.of(found, entryPlace(entry))
    if (stands !== undefined) return stands
  }
  if (atMs < proof.newSince(writer, seq) - latenessMs) {
    const what = 'it was not there when checkpoints of after its time were signed'
    const stands = judge.ofLate({ kind: 'forged', entry: where, what }, entry)
    if (stands !== undefined) return stands
  }
  follow(tails, entry)
  return undefined
}

/** It is not as it was written, or signed. */
function contentFault(proof: Proof, before: string, entry: StoredAuditEntry): Fault | undefined {
  const { writer, seq, atMs } = entry
  const where = { writer, seq, atMs }
  if (hashOf(before, entry) !== entry.hash) {
    return { kind: 'changed', entry: where, what: 'its content does not match its hash' }
  }
  const attested = proof.of(writer, seq)
  if (attested === undefined || attested.hash === entry.hash) return undefined
  const what = 'it is not the entry that was signed: the chain was made anew, here or before'
  return { kind: 'forged', entry: where, what }
}

function follow(tails: Map<string, Tail>, { writer, seq, atMs, hash }: StoredAuditEntry): void {
  tails.set(writer, { writer, seq, atMs, hash })
}

/** A chain that ends before an entry that was signed. */
function findMissingEnd({ tails, proof, judge }: Trail): Fault | undefined {
  for (const writer of proof.writers()) {
    const attested = proof.last(writer)
    const tail = tails.get(writer)
    const cut = proof.cutBefore(writer, Number.POSITIVE_INFINITY)
    const reached = Math.max(tail?.seq ?? 0, cut?.seq ?? 0)
    if (attested === undefined || reached >= attested.seq) continue
    const what = `it is missing; entry ${attested.seq} of the same writer was signed`
    const fault: Fault = { kind: 'removed', entry: { writer, seq: reached + 1, atMs: tail?.atMs ?? null }, what }
    const stands = judge.of(fault, { writer, seq: reached, signed: attested.seq, hash: attested.hash })
    if (stands !== undefined) return stands
  }
  return undefined
}
