/**
 * Replaces old checkpoints by summaries. A trail in use gets a checkpoint a minute, and half a million of them a year prove no more
 * than one of each hour: the last signed entry of every chain, and their order. A summary is part of a signed checkpoint. It has
 * the hash of every statement that it stands for, so that one of those hashes that was kept elsewhere is still found.
 */
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { hashOfStatement } from './chain.ts'
import {
  type Attested,
  linkFault,
  linkOf,
  type Statement,
  type StatementReader,
  type Summary,
  saysOfOthers,
} from './checkpoint.ts'

/** What is younger stays as it is. */
export const thinnedAfterMs = 7 * 86_400_000
/** A summary stands for the checkpoints of one hour at most. */
const spanMs = 3_600_000
/** Portions of a call. */
const portionsAtOnce = 5
const dayMs = 86_400_000
/** Checkpoints read at once, and of a summary that is worth it at least. */
const portion = 2000
const fewest = 3
/** Cuts that are kept of a chain: the last one may have been signed without being made. */
const cutsKept = 2

type Kept = { readonly row: AuditCheckpoint; readonly said: Statement }

type Found = {
  readonly summaries: readonly Summary[]
  /** The number after which the next call looks. */
  readonly next: number
  /** Whether there are no more of that age. */
  readonly isEnd: boolean
}

/** Returns a function that does what `TrailKeeper.thin` says. `sign` returns false if another node took the number first. */
export function thinner(context: {
  readonly audit: Pick<Storage['audit'], 'checkpoints' | 'removeCheckpoints'>
  readonly reader: () => Promise<StatementReader>
  readonly clock: () => number
  readonly sign: (summaries: readonly Summary[]) => Promise<boolean>
}): () => Promise<number> {
  const { audit, reader, clock, sign } = context
  let thinnedTo = 0
  let doneBeforeMs = Number.NEGATIVE_INFINITY
  return async () => {
    // By whole days, so that one checkpoint has the summaries of a day.
    const beforeMs = Math.floor((clock() - thinnedAfterMs) / dayMs) * dayMs
    let removed = 0
    for (let portions = 0; portions < portionsAtOnce && doneBeforeMs !== beforeMs; portions += 1) {
      const { summaries, next, isEnd } = await summarise(audit, await reader(), thinnedTo, beforeMs)
      if (summaries.length > 0 && !(await sign(summaries))) break
      removed += await audit.removeCheckpoints(summaries)
      thinnedTo = next
      if (isEnd) doneBeforeMs = beforeMs
    }
    return removed
  }
}

/**
 * Returns summaries of checkpoints after number `from` that are older than `beforeMs`. Each statement is verified, and follows the one
 * before it. What is not as it was signed stays for a verification to find; so does what an operator acknowledged, and what has
 * summaries.
 */
async function summarise(
  audit: Pick<Storage['audit'], 'checkpoints'>,
  read: StatementReader,
  from: number,
  beforeMs: number,
): Promise<Found> {
  const rows = await audit.checkpoints(from, portion)
  const old = rows.filter(({ atMs }) => atMs < beforeMs)
  const summaries: Summary[] = []
  let run: Kept[] = []
  const end = () => {
    const summary = run.length < fewest ? undefined : summaryOf(run)
    if (summary !== undefined) summaries.push(summary)
    run = []
  }
  for (const row of old) {
    const said = await read(row.statement)
    const last = run.at(-1)?.row
    const goesOn =
      last !== undefined && spanOf(last) === spanOf(row) && linkFault(row, said, linkOf(last)) === undefined
    if (!goesOn) end()
    // The first of a summary follows whatever it says.
    const first = { number: row.number - 1, hash: said?.previous ?? null }
    if (said === undefined || linkFault(row, said, first) !== undefined || saysOfOthers(said)) end()
    else run.push({ row, said })
  }
  // The rest of an hour is left to the next portion, unless it is all there is.
  const isEnd = rows.length < portion || old.length < rows.length
  const rest = isEnd ? undefined : run[0]?.row.number
  if (isEnd) end()
  const next = rest === undefined ? (old.at(-1)?.number ?? from) : Math.max(from + 1, rest - 1)
  return { summaries, next, isEnd }
}

const spanOf = ({ atMs }: AuditCheckpoint): number => Math.floor(atMs / spanMs)

function summaryOf(run: readonly Kept[]): Summary | undefined {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const tails = new Map<string, Attested>()
  const cuts = new Map<string, Attested[]>()
  for (const { said } of run) {
    for (const tail of said.tails) if (tail.seq >= (tails.get(tail.writer)?.seq ?? 0)) tails.set(tail.writer, tail)
    for (const cut of said.cuts ?? []) {
      cuts.set(cut.writer, [...(cuts.get(cut.writer) ?? []).filter(({ seq }) => seq !== cut.seq), cut].slice(-cutsKept))
    }
  }
  return {
    from: first.row.number,
    to: last.row.number,
    previous: first.said.previous,
    hashes: run.map(({ row }) => hashOfStatement(row.statement)).join(''),
    reach: last.said.reach,
    least: Math.min(...run.map(({ said }) => said.reach)),
    tails: [...tails.values()],
    cuts: [...cuts.values()].flat(),
  }
}
