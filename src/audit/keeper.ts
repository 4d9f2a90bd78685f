/** Maintains the trail: signs checkpoints and removes entries past their retention. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuditCheckpoint, AuditPart, AuditPartition, AuditTail } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Acknowledged } from './acknowledged.ts'
import { hashOfStatement } from './chain.ts'
import { type Attested, latenessMs, type Statement, signStatement, statementReader } from './checkpoint.ts'
import { NotIntact, removalCheck } from './removal.ts'
import { thinnedAfterMs, thinner } from './thinning.ts'

export type TrailKeeper = {
  /** Signs the current end of every chain; undefined: nothing was written since the last checkpoint. */
  checkpoint(): Promise<AuditCheckpoint | undefined>
  /**
   * Removes the oldest entries of a part (default: all) from before `beforeMs`: at most `atMost`, rounded up to whole
   * milliseconds. Returns the number removed; 0 also if another node is removing. Throws `NotIntact` and removes
   * nothing if the entries do not match what was written and signed.
   *
   * A partition that ends before `beforeMs` is removed as a whole, and entries of one that does not stay. It is checked first, `atMost`
   * entries at a time, so that 0 may mean that more calls are needed: see `isChecking`.
   */
  removeBefore(beforeMs: number, atMost: number, part?: AuditPart): Promise<number>
  /** Whether a part of a partition is checked, and `removeBefore` goes on with the rest. */
  isChecking(): boolean
  /**
   * Signs that an operator accepts faults, together with the ends of the affected chains. Resets the trail's time to
   * this clock, even if it was ahead. Returns undefined if other nodes won every attempt.
   */
  acknowledge(acknowledged: Acknowledged, tails: readonly Attested[]): Promise<AuditCheckpoint | undefined>
  /**
   * Replaces checkpoints that are older than `thinnedAfterMs` by summaries, some thousand of them in a call. Returns how many were
   * removed; 0 also if another node signs. Throws `NotIntact` if the last one is missing.
   */
  thin(): Promise<number>
  /** Returns the number of signed entries in chains of acts. Throws `NotIntact` if checkpoints are missing. */
  countActs(): Promise<number>
}

/** Attempts at a checkpoint number that another node took first. */
const attempts = 5

/** Entries read at once. Bounds how long the event loop is blocked. */
const portion = 5000

const ever = Number.MIN_SAFE_INTEGER

/** The last checkpoint and its content; `statement` undefined: unreadable. */
type Last = { readonly checkpoint: AuditCheckpoint; readonly statement: Statement | undefined }

export function trailKeeper(context: {
  readonly storage: Pick<Storage, 'audit' | 'keys'>
  readonly keys: Pick<KeyRing, 'auditKey' | 'refresh'>
  readonly clock: () => number
  /** Called when the last signed checkpoint has disappeared. Default: does nothing. */
  readonly replaced?: () => void
}): TrailKeeper {
  const { storage, keys, clock, replaced } = context
  const { audit } = storage
  /** The last entry of each writer in the checkpoints that this process has read. */
  const attested = new Map<string, number>()
  let known: Last | undefined
  const reader = async () => statementReader(await storage.keys.list())
  let removal = removalCheck(audit, reader)
  let checking = false
  /** A partition whose cut is signed. */
  let dropping: { readonly endMs: number; readonly entries: number } | undefined

  /** Returns the last checkpoint, after reading those that other nodes made. */
  async function catchUp(): Promise<Last | undefined> {
    const checkpoint = await audit.lastCheckpoint()
    if (checkpoint?.statement === known?.checkpoint.statement) return known
    if (known !== undefined && !(await isStill(known.checkpoint))) {
      const isOld = (checkpoint?.atMs ?? 0) - known.checkpoint.atMs > thinnedAfterMs
      // A process that did nothing for long may have missed that it was replaced by a summary.
      if (isOld) attested.clear()
      else await forget()
      known = undefined
    }
    if (checkpoint === undefined) return undefined
    // A process that begins, or that others signed for, reads only the latest ones: attesting an entry twice is harmless.
    const from = Math.max(known?.checkpoint.number ?? 0, checkpoint.number - 30)
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

  /** Forgets cached state after a backup was restored: its keys may differ as well. */
  async function forget(): Promise<void> {
    attested.clear()
    known = undefined
    dropping = undefined
    removal = removalCheck(audit, reader)
    thin = thinning()
    replaced?.()
    await keys.refresh(0)
  }

  /** Throws `NotIntact` if there is no last checkpoint or this service did not sign it. */
  async function signedLast(): Promise<Last & { readonly statement: Statement }> {
    const last = await catchUp()
    if (last?.statement === undefined)
      throw new NotIntact('the last checkpoint is missing, or not signed by this service')
    return { ...last, statement: last.statement }
  }

  function remember(tails: readonly Attested[]): void {
    for (const { writer, seq } of tails) attested.set(writer, Math.max(seq, attested.get(writer) ?? 0))
  }

  /** Returns undefined if another node took the number first; nothing is stored then. */
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

  /** Returns the last entries of all chains in the period. Reads in portions, so that other work is not blocked. */
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

  const thinning = () =>
    thinner({
      audit,
      reader,
      clock,
      async sign(summaries) {
        const last = await signedLast()
        const at = Math.max(clock(), last.checkpoint.atMs)
        return (await sign(last, { at, reach: last.statement.reach, tails: [], summaries })) !== undefined
      },
    })
  let thin = thinning()

  /** Returns false if another node took the number first. */
  async function signCuts(last: Last & { readonly statement: Statement }, checked: Checked | undefined) {
    const at = Math.max(clock(), last.checkpoint.atMs)
    const { reach } = last.statement
    return checked !== undefined && (await sign(last, { at, reach, tails: [], cuts: checked.cuts })) !== undefined
  }

  async function removePartition(endMs: number, beforeMs: number, atMost: number): Promise<number> {
    if (endMs > beforeMs) return 0
    // A partition whose end was signed before it could be dropped is not checked again.
    if (dropping?.endMs !== endMs) {
      const last = await signedLast()
      const checked = await removal.cutsBefore(endMs, last.checkpoint, 'all', atMost)
      checking = checked === undefined
      if (checked === undefined || !(await signCuts(last, checked))) return 0
      dropping = { endMs, entries: checked.entries }
    }
    await audit.partitions.drop(endMs)
    const { entries } = dropping
    dropping = undefined
    return entries
  }

  return {
    async checkpoint() {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const last = await catchUp()
        // Times never decrease, whatever the nodes' clocks say.
        const nowMs = clock()
        const at = Math.max(nowMs, last?.checkpoint.atMs ?? 0)
        const reach = last?.statement?.reach
        // A fast clock may have signed a future time. Entries from the other nodes must still count as new.
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
      checking = false
      const oldestMs = await audit.timeOf(ever, 0, part)
      if (oldestMs === undefined || oldestMs >= beforeMs) return 0
      // Cuts between milliseconds, so that a beginning of every chain is removed.
      const partitions = part === 'all' ? await audit.partitions.list() : []
      const whole = partitions.filter(isWhole).find((one) => one.fromMs <= oldestMs && oldestMs < one.beforeMs)
      if (whole !== undefined) return removePartition(whole.beforeMs, beforeMs, atMost)
      const nextMs = (await audit.timeOf(ever, atMost, part)) ?? beforeMs
      // What is in a partition is not removed by itself.
      const wholeMs = partitions.filter(isWhole).find((one) => one.fromMs > oldestMs)?.fromMs ?? beforeMs
      const endMs = Math.min(beforeMs, wholeMs, Math.max(nextMs, oldestMs + 1))
      const last = await signedLast()
      return (await signCuts(last, await removal.cutsBefore(endMs, last.checkpoint, part))) ? audit.cut(endMs, part) : 0
    },
    thin: () => thin(),
    isChecking: () => checking,
    async countActs() {
      if ((await audit.lastCheckpoint()) === undefined) return 0
      return removal.countActs((await signedLast()).checkpoint)
    },
  }
}

/** Whether the partition has both ends. */
function isWhole(one: AuditPartition): one is AuditPartition & { readonly fromMs: number; readonly beforeMs: number } {
  return one.fromMs !== null && one.beforeMs !== null
}

type Checked = { readonly cuts: Attested[]; readonly entries: number }

const toAttested = ({ writer, seq, hash }: AuditTail): Attested => ({ writer, seq, hash })
