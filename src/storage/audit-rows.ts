/** Converts audit entries to rows, which the engines add to the commits they belong to. */
import { append, type ChainName, chainOf, newTail, type Tail, type Tails } from '../audit/chain.ts'
import type { Draft, StoredAuditEntry } from '../audit/entry.ts'
import type { Value } from './sql/statement.ts'
import { columns } from './sql/tables.ts'

export const entryColumns = columns.audit_entries
export const insertEntries = `insert into audit_entries (${entryColumns.join(', ')})`

/** `values`: in the order of the columns. */
export type EntryRow = {
  readonly values: Value[]
  /** For the first row of a continued chain: the entry before it, which must still exist. */
  readonly after: Tail | undefined
  /** The partition that has that entry; absent: not known, or there are none. */
  readonly partition?: string | undefined
}

/** A chain this far ahead of the clock is abandoned: the clock was wrong and has been corrected since. */
const aheadMs = 5 * 60_000

/** Returns the rows of the drafts and the new ends of the chains. `floorMs`: the time of the last checkpoint. */
export function appendAll(
  tails: Tails,
  drafts: readonly Draft[],
  floorMs: number,
): { readonly rows: EntryRow[]; readonly tails: Tails } {
  const last: Record<ChainName, Tail> = { ...tails }
  const rows = drafts.map((draft): EntryRow => {
    const chain = chainOf(draft.kind)
    if (last[chain].atMs > Math.max(draft.atMs, floorMs) + aheadMs) last[chain] = newTail(chain)
    const tail = last[chain]
    const entry = append(tail, draft, floorMs)
    last[chain] = { writer: entry.writer, seq: entry.seq, atMs: entry.atMs, hash: entry.hash }
    return { values: toValues(entry), after: tail === tails[chain] && tail.seq > 0 ? tail : undefined }
  })
  return { rows, tails: last }
}

function toValues(entry: StoredAuditEntry): Value[] {
  const { atMs, writer, seq, kind, userId, clientId, traceId, address, details, hash } = entry
  return [atMs, writer, seq, kind, userId, clientId, traceId, address, details, hash]
}
