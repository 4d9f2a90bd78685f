/**
 * Verifies a trail, or finds the first entry that was changed, removed, moved or inserted. For every interface: how the trail is
 * read, when a result is final, and the form of the result.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type AcceptedPlace, type Fault, type Judge, type Met, openJudge } from './acknowledged.ts'
import { Chains } from './chains.ts'
import { type Attested, statementReader } from './checkpoint.ts'
import type { AuditKey, StoredAuditEntry } from './entry.ts'
import { addMissed, type Missed, nothingMissed } from './missed.ts'
import { Proof } from './proof.ts'
import { isoTime } from './record.ts'

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

const keptAtMost = 512

/** Calls `progress` with the number of entries after each portion. */
export async function verifyTrail(
  source: TrailSource,
  progress: (entries: number) => void,
  { anchor, gathers = false }: VerifyOptions = {},
): Promise<Verification> {
  const judge = openJudge(gathers)
  const proof = new Proof({ judge, keptAtMost, anchor })
  const chains = new Chains(proof, judge)
  let entries = 0
  let unproven = 0
  let fromMs: number | null = null
  let missed = nothingMissed
  const result = (fault: Fault | undefined): Verification => ({
    entries,
    writers: chains.tails.size,
    checkpoints: proof.count,
    provenToMs: proof.reachMs,
    unproven,
    fromMs,
    missed,
    acknowledged: judge.met,
    gathered: { places: judge.gathered, tails: tailsAt(judge.gathered, chains) },
    fault,
  })
  const broken = await proof.follow(() => source.checkpoints(), statementReader(await source.keys()))
  if (broken !== undefined) return result(broken)
  for await (const portion of source.entries()) {
    for (const entry of portion) {
      fromMs ??= entry.atMs
      const fault = (chains.hasGap(entry) ? await findGap(source, chains, entry) : undefined) ?? chains.next(entry)
      if (fault !== undefined) return result(fault)
      entries += 1
      missed = addMissed(missed, entry)
      if (entry.seq > (proof.last(entry.writer)?.seq ?? 0)) unproven += 1
    }
    progress(entries)
  }
  return result(findMissingEnd(proof, chains, judge))
}

/** Returns the ends of the affected chains: once signed, accepted faults cannot be altered. */
function tailsAt(places: readonly AcceptedPlace[], { tails }: Chains): Attested[] {
  const writers = new Set(places.flatMap(({ place }) => ('writer' in place ? [place.writer] : [])))
  return [...writers]
    .map((writer) => tails.get(writer))
    .filter((tail) => tail !== undefined)
    .map(({ writer, seq, hash }) => ({ writer, seq, hash }))
}

/** Looks for the entries that are missing before this one. */
async function findGap(source: TrailSource, chains: Chains, entry: StoredAuditEntry): Promise<Fault | undefined> {
  const { writer, seq, atMs } = entry
  const tail = chains.tails.get(writer)
  const expected = (tail?.seq ?? 0) + 1
  const later: StoredAuditEntry[] = []
  // The missing entry may have been committed after the scan passed its position, or stand elsewhere.
  for await (const portion of source.between(tail?.atMs ?? Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
    for (const one of portion) {
      if (one.writer !== writer || one.seq < expected || one.seq >= seq) continue
      if (one.atMs > atMs) later.push(one)
      const fault = one.atMs > atMs ? undefined : chains.next(one)
      if (fault !== undefined) return fault
    }
  }
  if (later.length === 0 && chains.reached(writer, seq).seq + 1 === seq) return undefined
  return chains.gap(entry, gapFault(entry, later, expected, chains.tails.get(writer)))
}

function gapFault(
  { writer, seq, atMs }: StoredAuditEntry,
  later: readonly StoredAuditEntry[],
  expected: number,
  reached: { readonly seq: number; readonly atMs: number } | undefined,
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

/** Checks that no chain ends before a signed entry. */
function findMissingEnd(proof: Proof, { tails }: Chains, judge: Judge): Fault | undefined {
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

export type VerificationParts = {
  readonly audit: Storage['audit']
  /** Returns the keys whose checkpoints count. Called if there is a checkpoint. */
  readonly keys: () => Promise<readonly StoredKey[]>
  /** Called with the number of entries after each portion. Default: does nothing. */
  readonly progress?: ((entries: number) => void) | undefined
  /** Rows read at once; default 2000. Between two portions other work of the process has its turn. */
  readonly portion?: number
  /** Ends the verification between two portions, which then rejects with the reason. */
  readonly signal?: AbortSignal | undefined
  /** Whether a result is final whatever servers do meanwhile. Default: it has no fault. */
  readonly isInOrder?: (found: Verification) => boolean
}

/** Attempts at a verification while servers remove old entries. */
const attempts = 3

const hasNoFault = ({ fault }: Verification): boolean => fault === undefined

/**
 * Verifies again after a fault if servers have signed meanwhile, because they may have removed entries during the read.
 */
export async function verifySettled(parts: VerificationParts, options: VerifyOptions = {}): Promise<Verification> {
  const { audit, progress = () => {}, isInOrder = hasNoFault } = parts
  for (let attempt = 1; ; attempt += 1) {
    const before = (await audit.lastCheckpoint())?.number
    const found = await verifyTrail(sourceOf(parts), progress, options)
    const isSettled = (await audit.lastCheckpoint())?.number === before
    if (isInOrder(found) || isSettled || attempt === attempts) return found
  }
}

function sourceOf({ audit, keys, portion = 2000, signal }: VerificationParts): TrailSource {
  async function* all<Row>(read: (after: Row | undefined) => Promise<readonly Row[]>) {
    for (let after: Row | undefined; ; ) {
      const rows = await read(after)
      if (rows.length > 0) yield rows
      if (rows.length < portion) return
      after = rows.at(-1)
      await nextTurn()
      signal?.throwIfAborted()
    }
  }
  const entriesFrom = (fromMs: number) => {
    const first: AuditKey = { atMs: fromMs, writer: '', seq: 0 }
    return all<StoredAuditEntry>((after) => audit.stored(after ?? first, portion))
  }
  return {
    keys: async () => ((await audit.lastCheckpoint()) === undefined ? [] : keys()),
    checkpoints: () => all<AuditCheckpoint>((after) => audit.checkpoints(after?.number ?? 0, portion)),
    entries: () => entriesFrom(Number.MIN_SAFE_INTEGER),
    between: entriesFrom,
  }
}

export function verificationJson(found: Verification) {
  const { fault, entries, writers, checkpoints, provenToMs, unproven, fromMs, missed } = found
  const counts = {
    entries,
    writers,
    checkpoints,
    from: timeJson(fromMs),
    signed_to: timeJson(provenToMs),
    not_signed: unproven,
    missed: { too_many: missed.tooMany, unwritable: missed.unwritable, unformatted: missed.unformatted },
    acknowledged: found.acknowledged.map(({ fault, at, actor, reason }) => ({
      ...faultJson(fault),
      at: isoTime(at),
      actor,
      reason,
    })),
  }
  if (fault === undefined) return { intact: true, ...counts }
  return { intact: false, ...counts, fault: faultJson(fault) }
}

export function faultJson({ entry, ...others }: Fault) {
  const place = entry && { ...entry, atMs: undefined, at: timeJson(entry.atMs) }
  return { ...others, ...(place && { entry: place }) }
}

const timeJson = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))
