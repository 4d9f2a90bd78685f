/** Verifies a trail, or finds the first entry that was changed, removed, moved or inserted. */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { StoredKey } from '../storage/port/keys.ts'
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
import { type Attested, contentOf, type Statement, saysOfOthers, statementReader } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'
import type { Fault } from './fault.ts'
import { latenessMs } from './keeper.ts'
import { addMissed, type Missed, nothingMissed } from './missed.ts'
import { type Proof, readProof } from './proof.ts'
import { Summaries } from './thinning.ts'

export type { Fault } from './fault.ts'

/** The trail's data, in order and in portions. */
export type TrailSource = {
  keys(): Promise<readonly StoredKey[]>
  checkpoints(): AsyncIterable<readonly AuditCheckpoint[]>
  entries(): AsyncIterable<readonly StoredAuditEntry[]>
  /** Reads entries from a period again. */
  between(fromMs: number, toMs: number): AsyncIterable<readonly StoredAuditEntry[]>
}

export type Verification = {
  readonly entries: number
  readonly writers: number
  readonly checkpoints: number
  /** The time up to which checkpoints reach; null: there is none, so nothing proves that the trail was not rebuilt. */
  readonly provenToMs: number | null
  /** Number of entries that no checkpoint covers yet. */
  readonly unproven: number
  /** Time of the oldest entry, in epoch milliseconds. */
  readonly fromMs: number | null
  readonly missed: Missed
  /** Accepted faults. */
  readonly acknowledged: readonly Met[]
  /** With `gathers`: all other faults, and the ends of their chains. */
  readonly gathered: { readonly places: readonly AcceptedPlace[]; readonly tails: readonly Attested[] }
  readonly fault: Fault | undefined
}

export type VerifyOptions = {
  /** The hash of a checkpoint kept elsewhere, which must be among those present. */
  readonly anchor?: string | undefined
  /** Continues after a fault and collects all of them, for an operator to accept. */
  readonly gathers?: boolean
}

/** Calls `progress` with the number of entries after each portion. */
export async function verifyTrail(
  source: TrailSource,
  progress: (entries: number) => void,
  { anchor, gathers = false }: VerifyOptions = {},
): Promise<Verification> {
  const read = statementReader(await source.keys())
  const { acknowledged, summaries } = await laterStatements(source.checkpoints(), read)
  const judge = judgeWith(acknowledged, gathers)
  const proof = await readProof(read, source.checkpoints(), judge, anchor, summaries)
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

/**
 * Returns what statements signed by this service say of others before them: what operators accepted, and what stands for
 * removed ones.
 */
async function laterStatements(
  checkpoints: AsyncIterable<readonly AuditCheckpoint[]>,
  read: (statement: string) => Promise<Statement | undefined>,
): Promise<{ readonly acknowledged: readonly Acknowledged[]; readonly summaries: Summaries }> {
  const acknowledged: Acknowledged[] = []
  const summaries = new Summaries()
  for await (const portion of checkpoints) {
    for (const { statement } of portion) {
      if (!saysOfOthers(contentOf(statement))) continue
      const said = await read(statement)
      if (said?.acknowledged !== undefined) acknowledged.push(said.acknowledged)
      summaries.add(said?.summaries ?? [])
    }
  }
  return { acknowledged, summaries }
}

/** Returns the ends of the affected chains: once signed, accepted faults cannot be altered. */
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
  /** The last verified entry of each writer. */
  readonly tails: Map<string, Tail>
}

/** Looks for a missing entry before this one. */
async function findGap(trail: Trail, entry: StoredAuditEntry): Promise<Fault | undefined> {
  const { source, tails, proof, judge } = trail
  const { writer, atMs } = entry
  const tail = tails.get(writer)
  const expected = (tail?.seq ?? 0) + 1
  // Directly after entries that were removed by retention.
  if (tail === undefined && proof.cut(writer, entry.seq - 1) !== undefined) return undefined
  if (entry.seq <= expected) return undefined
  const later: StoredAuditEntry[] = []
  // The missing entry may have been committed after the scan passed its position, or stand elsewhere.
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
  // The chain continues from this entry, whatever came before it.
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
  // Either that entry is late or this one is early, if more of the missing ones are still to come.
  const isLate = others.length === 0 && first.seq === expected
  const what = isLate ? `it stands after entry ${seq}` : `it stands before entry ${first.seq}`
  const entry = isLate ? { writer, seq: first.seq, atMs: first.atMs } : { writer, seq, atMs }
  return { kind: 'moved', entry, what }
}

/** Verifies an entry as its writer's next one, known to have no gap before it. Advances the tail. */
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
    const what = 'it is missing from checkpoints that were signed after its time'
    const stands = judge.ofLate({ kind: 'forged', entry: where, what }, entry)
    if (stands !== undefined) return stands
  }
  follow(tails, entry)
  return undefined
}

/** Checks the entry against its own hash and its checkpoint. */
function contentFault(proof: Proof, before: string, entry: StoredAuditEntry): Fault | undefined {
  const { writer, seq, atMs } = entry
  const where = { writer, seq, atMs }
  if (hashOf(before, entry) !== entry.hash) {
    return { kind: 'changed', entry: where, what: 'its content does not match its hash' }
  }
  const attested = proof.of(writer, seq)
  if (attested === undefined || attested.hash === entry.hash) return undefined
  const what = 'it is not the entry that was signed: the chain was rebuilt, here or earlier'
  return { kind: 'forged', entry: where, what }
}

function follow(tails: Map<string, Tail>, { writer, seq, atMs, hash }: StoredAuditEntry): void {
  tails.set(writer, { writer, seq, atMs, hash })
}

/** Checks that no chain ends before a signed entry. */
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
