/** Proves a trail, or finds the first entry that somebody changed, removed, moved or put in. */
import type { AuditCheckpoint } from '../storage/audit-port.ts'
import type { StoredKey } from '../storage/port.ts'
import { hashOf, type Tail } from './chain.ts'
import type { StoredAuditEntry } from './entry.ts'
import { latenessMs } from './keeper.ts'
import { addMissed, type Missed, nothingMissed } from './missed.ts'
import { type Fault, type Proof, readProof } from './proof.ts'

export type { Fault } from './proof.ts'

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
  readonly fault: Fault | undefined
}

/**
 * `progress` is told the number of entries after each portion. `anchor`: the hash of a checkpoint that was kept outside,
 * which must be among those that are there.
 */
export async function verifyTrail(
  source: TrailSource,
  progress: (entries: number) => void,
  anchor?: string,
): Promise<Verification> {
  const proof = await readProof(await source.keys(), source.checkpoints(), anchor)
  const tails = new Map<string, Tail>()
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
    fault,
  })
  if (proof.fault !== undefined) return result(proof.fault)
  for await (const portion of source.entries()) {
    for (const entry of portion) {
      fromMs ??= entry.atMs
      const fault = (await findGap(source, tails, proof, entry)) ?? checkEntry(tails, proof, entry)
      if (fault !== undefined) return result(fault)
      entries += 1
      missed = addMissed(missed, entry)
      if (entry.seq > (proof.last(entry.writer)?.seq ?? 0)) unproven += 1
    }
    progress(entries)
  }
  return result(findMissingEnd(tails, proof))
}

/** An entry before this one is not where it should be. */
async function findGap(
  source: TrailSource,
  tails: Map<string, Tail>,
  proof: Proof,
  entry: StoredAuditEntry,
): Promise<Fault | undefined> {
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
      const fault = one.atMs > atMs ? undefined : checkEntry(tails, proof, one)
      if (fault !== undefined) return fault
    }
  }
  const [first, ...others] = later
  if (first !== undefined) {
    // One that comes too late, or this one too early, when others that should have come before it are still to come.
    const isLate = others.length === 0 && first.seq === expected
    const what = isLate ? `it stands after entry ${entry.seq}` : `it stands before entry ${first.seq}`
    const { seq, atMs } = isLate ? first : entry
    return { kind: 'moved', entry: { writer, seq, atMs }, what }
  }
  const reached = (tails.get(writer)?.seq ?? 0) + 1
  if (reached === entry.seq) return undefined
  const what = `it is missing; entry ${entry.seq} of the same writer is there`
  return { kind: 'removed', entry: { writer, seq: reached, atMs: tails.get(writer)?.atMs ?? null }, what }
}

/** One entry as the next of its writer, of which it is known that none before it is missing. Moves the tail on. */
function checkEntry(tails: Map<string, Tail>, proof: Proof, entry: StoredAuditEntry): Fault | undefined {
  const { writer, seq, atMs } = entry
  const where = { writer, seq, atMs }
  const tail = tails.get(writer)
  if (seq <= (tail?.seq ?? 0)) {
    return { kind: 'forged', entry: where, what: 'another entry has its number' }
  }
  const before = tail?.hash ?? proof.cut(writer, seq - 1)?.hash ?? ''
  if (hashOf(before, entry) !== entry.hash) {
    return { kind: 'changed', entry: where, what: 'its content does not match its hash' }
  }
  const attested = proof.of(writer, seq)
  if (attested !== undefined && attested.hash !== entry.hash) {
    const what = 'it is not the entry that was signed: the chain was made anew, here or before'
    return { kind: 'forged', entry: where, what }
  }
  if (atMs < proof.newSince(writer, seq) - latenessMs) {
    return { kind: 'forged', entry: where, what: 'it was not there when checkpoints of after its time were signed' }
  }
  tails.set(writer, { writer, seq, atMs, hash: entry.hash })
  return undefined
}

/** A chain that ends before an entry that was signed. */
function findMissingEnd(tails: Map<string, Tail>, proof: Proof): Fault | undefined {
  for (const writer of proof.writers()) {
    const attested = proof.last(writer)?.seq ?? 0
    const tail = tails.get(writer)
    const reached = Math.max(tail?.seq ?? 0, proof.cutTo(writer))
    if (reached >= attested) continue
    const what = `it is missing; entry ${attested} of the same writer was signed`
    return { kind: 'removed', entry: { writer, seq: reached + 1, atMs: tail?.atMs ?? null }, what }
  }
  return undefined
}
