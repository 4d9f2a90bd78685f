/** Keeps the trail: signs where the chains have got to, and removes what is older than it is to be kept. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuditCheckpoint, AuditPart, AuditTail } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/port.ts'
import type { Acknowledged } from './acknowledged.ts'
import { hashOfStatement } from './chain.ts'
import { type Attested, type Statement, signStatement, statementReader } from './checkpoint.ts'
import { NotIntact, removalCheck } from './removal.ts'

export type TrailKeeper = {
  /** Signs where every chain has got to; undefined: nothing has been written since the last time. */
  checkpoint(): Promise<AuditCheckpoint | undefined>
  /**
   * Removes the oldest entries of a part (default: all), as far as they are of before `beforeMs`: at most `atMost`, or a few
   * more of the same millisecond. The number removed; 0 also when another node is at it. Throws `NotIntact`, and removes
   * nothing, when they are not as they were written and signed.
   */
  removeBefore(beforeMs: number, atMost: number, part?: AuditPart): Promise<number>
  /**
   * Signs that an operator accepts places as they are, and where the chains that have them end. From then on times are
   * those of this clock again, also when it was ahead before. Undefined: other nodes were faster each time.
   */
  acknowledge(acknowledged: Acknowledged, tails: readonly Attested[]): Promise<AuditCheckpoint | undefined>
  /** How many entries chains of acts have, as far as they are signed. Throws `NotIntact` when checkpoints are missing. */
  countActs(): Promise<number>
}

/**
 * How far behind a checkpoint a chain may have grown unnoticed: commits that were under way, and nodes whose clocks are
 * late. An entry that is older and in no checkpoint was put in afterwards.
 */
export const latenessMs = 5 * 60_000

/** How often a number is tried that another node took first. */
const attempts = 5

/** Entries that are looked through at once: milliseconds of an event loop. */
const portion = 5000

const ever = Number.MIN_SAFE_INTEGER

/** The last checkpoint and what it says; `statement` undefined: it cannot be read. */
type Last = { readonly checkpoint: AuditCheckpoint; readonly statement: Statement | undefined }

export function trailKeeper(context: {
  readonly storage: Pick<Storage, 'audit' | 'keys'>
  readonly keys: Pick<KeyRing, 'auditKey' | 'refresh'>
  readonly clock: () => number
  /** Is told that the checkpoint that was signed last is gone; default: nobody. */
  readonly replaced?: () => void
}): TrailKeeper {
  const { storage, keys, clock, replaced } = context
  const { audit } = storage
  /** The number of the last entry of each writer that a checkpoint names, as far as this process has read them. */
  const attested = new Map<string, number>()
  let known: Last | undefined
  const reader = async () => statementReader(await storage.keys.list())
  let removal = removalCheck(audit, reader)

  /** The last checkpoint, after those that other nodes have made were read. */
  async function catchUp(): Promise<Last | undefined> {
    const checkpoint = await audit.lastCheckpoint()
    if (checkpoint?.statement === known?.checkpoint.statement) return known
    if (known !== undefined && !(await isStill(known.checkpoint))) await forget()
    if (checkpoint === undefined) return undefined
    // A process that has just started does not read them all: naming an entry twice does no harm.
    const from = known?.checkpoint.number ?? Math.max(0, checkpoint.number - 30)
    const read = await reader()
    for (const one of await audit.checkpoints(from, checkpoint.number - from)) {
      remember((await read(one.statement))?.tails ?? [])
    }
    known = { checkpoint, statement: await read(checkpoint.statement) }
    return known
  }

  async function isStill({ number, statement }: AuditCheckpoint): Promise<boolean> {
    const [row] = await audit.checkpoints(number - 1, 1)
    return row?.number === number && row.statement === statement
  }

  /** The database is not the one that was known: a backup was restored. Its keys may be other ones, too. */
  async function forget(): Promise<void> {
    attested.clear()
    known = undefined
    removal = removalCheck(audit, reader)
    replaced?.()
    await keys.refresh(0)
  }

  /** Throws `NotIntact` when there is none, or it was not signed by this service. */
  async function signedLast(): Promise<Last & { readonly statement: Statement }> {
    const last = await catchUp()
    if (last?.statement === undefined)
      throw new NotIntact('the last checkpoint is missing, or not signed by this service')
    return { ...last, statement: last.statement }
  }

  function remember(tails: readonly Attested[]): void {
    for (const { writer, seq } of tails) attested.set(writer, Math.max(seq, attested.get(writer) ?? 0))
  }

  /** Undefined: another node was faster, and nothing was stored. */
  async function sign(
    last: Last | undefined,
    content: Omit<Statement, 'number' | 'previous'>,
  ): Promise<AuditCheckpoint | undefined> {
    const number = (last?.checkpoint.number ?? 0) + 1
    const previous = last === undefined ? null : hashOfStatement(last.checkpoint.statement)
    const statement: Statement = { number, previous, ...content }
    const checkpoint = { number, atMs: content.at, statement: await signStatement(statement, keys.auditKey()) }
    if (!(await audit.addCheckpoint(checkpoint))) return undefined
    remember(content.tails)
    known = { checkpoint, statement }
    return checkpoint
  }

  /** The ends of all chains with entries of that time; never so much at once that others would have to wait. */
  async function tailsOf(fromMs: number, beforeMs: number): Promise<AuditTail[]> {
    const found = new Map<string, AuditTail>()
    for (let from = fromMs; from < beforeMs; ) {
      const next = await audit.timeOf(from, portion)
      const to = Math.min(beforeMs, Math.max(next ?? beforeMs, from + 1))
      for (const tail of await audit.tails(from, to)) {
        if (tail.seq > (found.get(tail.writer)?.seq ?? 0)) found.set(tail.writer, tail)
      }
      from = to
    }
    return [...found.values()]
  }

  return {
    async checkpoint() {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const last = await catchUp()
        // Never earlier than the one before, whatever the clocks of the nodes say.
        const nowMs = clock()
        const at = Math.max(nowMs, last?.checkpoint.atMs ?? 0)
        const reach = last?.statement?.reach
        // A clock that is fast signed for a time that has not come yet: what the others write now is still new.
        const from = reach === undefined ? ever : Math.min(reach, nowMs) - latenessMs
        const tails = await tailsOf(from, Number.MAX_SAFE_INTEGER)
        const grown = tails.filter(({ writer, seq }) => seq > (attested.get(writer) ?? 0))
        if (grown.length === 0) return undefined
        const signed = await sign(last, { at, reach: nowMs, tails: grown.map(toAttested) })
        if (signed !== undefined) return signed
      }
      return undefined
    },
    async acknowledge(acknowledged, tails) {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const { at } = acknowledged
        const signed = await sign(await catchUp(), { at, reach: at, tails, acknowledged })
        if (signed !== undefined) return signed
      }
      return undefined
    },
    async removeBefore(beforeMs, atMost, part = 'all') {
      const oldestMs = await audit.timeOf(ever, 0, part)
      if (oldestMs === undefined || oldestMs >= beforeMs) return 0
      // All entries of a millisecond or none, so that what goes is the beginning of every chain.
      const nextMs = (await audit.timeOf(ever, atMost, part)) ?? beforeMs
      const endMs = Math.min(beforeMs, Math.max(nextMs, oldestMs + 1))
      const last = await signedLast()
      const cuts = await removal.cutsBefore(endMs, last.checkpoint, part)
      const at = Math.max(clock(), last.checkpoint.atMs)
      const signed = await sign(last, { at, reach: last.statement.reach, tails: [], cuts })
      return signed === undefined ? 0 : audit.cut(endMs, part)
    },
    async countActs() {
      if ((await audit.lastCheckpoint()) === undefined) return 0
      return removal.countActs((await signedLast()).checkpoint)
    },
  }
}

const toAttested = ({ writer, seq, hash }: AuditTail): Attested => ({ writer, seq, hash })
