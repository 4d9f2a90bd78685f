/**
 * Checks that the oldest entries may be removed. After a cut is signed, what was before it can no longer be proven, so
 * the entries are verified first, and each must be covered by a checkpoint. Accepted faults may be removed as they stand.
 */
import type { AuditCheckpoint, AuditPart } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Fault, openJudge, placeText } from './acknowledged.ts'
import { refusalsMark } from './chain.ts'
import { Chains } from './chains.ts'
import type { Attested, StatementReader } from './checkpoint.ts'
import type { StoredAuditEntry } from './entry.ts'
import { Proof } from './proof.ts'

/** The oldest entries fail verification. Nothing is removed, so that `audit verify` can find the fault. */
export class NotIntact extends Error {}

const notIntact = (fault: Fault): NotIntact => new NotIntact(placeText(fault))

/** Bounds the memory of a running service. */
const keptAtMost = 64

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
  readonly chains: Chains
  after: StoredAuditEntry | undefined
  entries: number
}

/** `reader`: reads statements signed by this service. */
export function removalCheck(
  audit: Pick<Storage['audit'], 'checkpoints' | 'stored'>,
  reader: () => Promise<StatementReader>,
): RemovalCheck {
  const judge = openJudge()
  const proof = new Proof({ judge, keptAtMost })
  const walks = new Map<AuditPart, Walk>()

  /** Goes on with the checkpoints that were signed since the last call. */
  async function follow(last: AuditCheckpoint): Promise<void> {
    const from = proof.number
    async function* checkpoints() {
      for (let after = from; after < last.number; ) {
        const rows = await audit.checkpoints(after, Math.min(portion, last.number - after))
        yield rows.filter(({ number }) => number <= last.number)
        after = rows.at(-1)?.number ?? last.number
      }
    }
    const fault = await proof.follow(checkpoints, await reader(), last)
    if (fault !== undefined) throw notIntact(fault)
  }

  /** Returns the fault of an entry, or passes it. */
  function faultOf(chains: Chains, entry: StoredAuditEntry): Fault | undefined {
    const { writer, seq } = entry
    const tail = chains.tails.get(writer)
    // Entries after the tail may have been removed since the walk read it.
    if (tail !== undefined && tail.seq < seq - 1 && proof.cut(writer, seq - 1) !== undefined)
      chains.tails.delete(writer)
    const fault = (kind: Fault['kind'], what: string): Fault => ({ kind, entry, what })
    const found = chains.hasGap(entry) ? chains.gap(entry, fault('removed', 'the one before it is missing')) : undefined
    if (found !== undefined) return found
    const isSigned = seq <= (proof.last(writer)?.seq ?? 0)
    return chains.next(entry) ?? (isSigned ? undefined : fault('forged', 'no checkpoint covers it'))
  }

  return {
    async cutsBefore(endMs, last, part, atMost = Number.POSITIVE_INFINITY) {
      await follow(last)
      const begun = walks.get(part)
      const anew = { endMs, chains: new Chains(proof, judge), after: undefined, entries: 0 }
      const walk: Walk = begun?.endMs === endMs ? begun : anew
      // Begins anew after a failure.
      walks.delete(part)
      for (let read = 0, goesOn = true; goesOn; read += portion) {
        if (read >= atMost) {
          walks.set(part, walk)
          return undefined
        }
        const rows = await audit.stored(walk.after, portion, part)
        const old = rows.filter(({ atMs }) => atMs < endMs)
        for (const entry of old) {
          const fault = faultOf(walk.chains, entry)
          if (fault !== undefined) throw notIntact(fault)
        }
        walk.after = rows.at(-1)
        walk.entries += old.length
        goesOn = old.length === portion
      }
      const cuts = [...walk.chains.tails.values()].map(({ writer, seq, hash }) => ({ writer, seq, hash }))
      return { cuts, entries: walk.entries }
    },
    async countActs(last) {
      await follow(last)
      const acts = [...proof.writers()].filter((writer) => writer < refusalsMark)
      const removedOf = (writer: string) => proof.cutBefore(writer, Number.POSITIVE_INFINITY)?.seq ?? 0
      return acts.reduce((sum, writer) => sum + (proof.last(writer)?.seq ?? 0) - removedOf(writer), 0)
    },
  }
}
