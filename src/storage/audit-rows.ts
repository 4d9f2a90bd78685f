/** Entries of the audit trail as rows, for the engines, which append them to the commits that they record. */
import { append, type Tail } from '../audit/chain.ts'
import type { Draft } from '../audit/draft.ts'
import type { StoredAuditEntry } from '../audit/entry.ts'
import type { Value } from './sql/prepared.ts'
import { columns } from './sql/tables.ts'

export const entryColumns = columns.audit_entries
export const insertEntries = `insert into audit_entries (${entryColumns.join(', ')})`

/** The values of each entry in the order of the columns, and where the chain ends with them. */
export function appendAll(tail: Tail, drafts: readonly Draft[]): { readonly rows: Value[][]; readonly tail: Tail } {
  let last = tail
  const rows = drafts.map((draft) => {
    const entry = append(last, draft)
    last = { writer: entry.writer, seq: entry.seq, atMs: entry.atMs, hash: entry.hash }
    return toValues(entry)
  })
  return { rows, tail: last }
}

function toValues(entry: StoredAuditEntry): Value[] {
  const { atMs, writer, seq, kind, userId, clientId, traceId, address, details, hash } = entry
  return [atMs, writer, seq, kind, userId, clientId, traceId, address, details, hash]
}
