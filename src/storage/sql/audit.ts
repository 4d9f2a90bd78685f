import type { RawBuilder } from 'kysely'
import type { AuditDetails, AuditEntry, AuditEvents, AuditKey, StoredAuditEntry } from '../../audit/entry.ts'
import type { auditQueue } from '../audit-queue.ts'
import type { Engine } from '../engine.ts'
import {
  type Audit,
  type AuditCheckpoint,
  type AuditFilter,
  type AuditPartitions,
  activityRows,
} from '../port/audit.ts'
import { type Members, matches, membersOf, readPage } from './audit-pages.ts'
import { type After, countRefusals, isAfter, isAny, isRefusal, remove, stored, timeOf } from './audit-parts.ts'
import { mustChange, type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import { type AuditCheckpointsTable, type AuditEntriesTable, columns } from './tables.ts'

type Filter = Members & { until_ms: number; rows: number }

const isWanted = (p: Placeholders<Filter>, tools: Tools) =>
  tools.sql<boolean>`at_ms <= ${p.until_ms} and ${matches(p, tools)}`

const filtered = prepare('audit.filtered', (db, p: Placeholders<Filter & After>, tools) =>
  db
    .selectFrom('audit_entries')
    .select(columns.audit_entries)
    .where(isAfter(p, tools))
    .where(isWanted(p, tools))
    .orderBy('at_ms')
    .orderBy('writer')
    .orderBy('seq')
    .limit(p.rows),
)
const newestOf = (name: string, part: (tools: Tools) => RawBuilder<boolean>) =>
  prepare(name, (db, p: Placeholders<Filter & { since_ms: number }>, tools) =>
    db
      .selectFrom('audit_entries')
      .select(columns.audit_entries)
      .where('at_ms', '>=', p.since_ms)
      .where(part(tools))
      .where(isWanted(p, tools))
      .orderBy('at_ms', 'desc')
      .orderBy('writer', 'desc')
      .orderBy('seq', 'desc')
      .limit(p.rows),
  )
const newest = { all: newestOf('audit.newest', isAny), refusals: newestOf('audit.newestRefusals', isRefusal) }
/** Uses the partial index on refusals. */
const refusalsOfTrace = prepare('audit.refusalsOfTrace', (db, p: Placeholders<{ trace_id: string }>, { sql }) =>
  db
    .selectFrom('audit_entries')
    .select(columns.audit_entries)
    .where(sql<boolean>`kind = 'refusal'`)
    .where('trace_id', '=', p.trace_id)
    .orderBy('at_ms')
    .orderBy('writer')
    .orderBy('seq'),
)

/** Uses the partial index, whose condition it repeats. */
const activity = prepare('audit.activity', (db, p: Placeholders<After & { user_id: string }>, { sql, inPartitions }) =>
  db
    .selectFrom('audit_entries')
    .select(columns.audit_entries)
    .where('user_id', '=', p.user_id)
    .where(sql<boolean>`kind <> 'tokens_issued'`)
    .where(sql<boolean>`kind <> 'refusal'`)
    .where(inPartitions(sql`at_ms <= ${p.at_ms}`, sql`(at_ms, writer, seq) < (${p.at_ms}, ${p.writer}, ${p.seq})`))
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(sql.lit(activityRows)),
)
/**
 * Selects the row with the highest number, whatever its time: in a tampered trail the two need not increase together.
 */
const tails = prepare('audit.tails', (db, p: Placeholders<{ from_ms: number; before_ms: number }>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_entries')
        .select(({ fn }) => [
          ...(['at_ms', 'writer', 'seq', 'hash'] as const),
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('writer').orderBy('seq', 'desc').orderBy('at_ms', 'desc'))
            .as('place'),
        ])
        .where('at_ms', '>=', p.from_ms)
        .where('at_ms', '<', p.before_ms)
        .as('e'),
    )
    .select(['e.at_ms', 'e.writer', 'e.seq', 'e.hash'])
    .where(({ eb, lit }) => eb('e.place', '=', lit(1))),
)
const insertCheckpoint = prepare('audit.insertCheckpoint', (db, p: Placeholders<AuditCheckpointsTable>) =>
  db
    .insertInto('audit_checkpoints')
    .values(pick(p, columns.audit_checkpoints))
    .onConflict((conflict) => conflict.doNothing()),
)
const checkpointsAfter = prepare('audit.checkpoints', (db, p: Placeholders<{ after: number; rows: number }>) =>
  db
    .selectFrom('audit_checkpoints')
    .select(columns.audit_checkpoints)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.rows),
)
const lastCheckpoint = prepare('audit.lastCheckpoint', (db, p: Placeholders<{ rows: number }>) =>
  db.selectFrom('audit_checkpoints').select(columns.audit_checkpoints).orderBy('number', 'desc').limit(p.rows),
)

const removeCheckpoints = prepare('audit.removeCheckpoints', (db, p: Placeholders<{ from: number; to: number }>) =>
  db.deleteFrom('audit_checkpoints').where('number', '>=', p.from).where('number', '<=', p.to),
)

/** Longer than any single request takes. */
const aroundMs = 3_600_000

const undivided: AuditPartitions = {
  list: async () => [],
  undivided: async () => 0,
  async extend() {},
  async drop() {},
  divide: async () => 'unsupported',
}

export function sqlAudit(engine: Engine, queue: ReturnType<typeof auditQueue>, partitions = undivided): Audit {
  async function search(filter: AuditFilter, after: AuditKey | undefined, limit: number): Promise<AuditEntry[]> {
    const { sinceMs = 0 } = filter
    const since = { at_ms: sinceMs, writer: '', seq: 0 }
    const from = after !== undefined && after.atMs >= sinceMs ? toAfter(after) : since
    return (await engine.read(filtered({ ...from, ...toFilter(filter, limit) }))).map(toEntry)
  }

  /** A trace id belongs to one request, so all its entries are close to the refusal that the index finds. */
  async function narrowed(filter: AuditFilter): Promise<AuditFilter | undefined> {
    const { traceId, kind, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER } = filter
    if (traceId === undefined) return filter
    const refusals = await engine.read(refusalsOfTrace({ trace_id: traceId }))
    const [first, last] = [refusals[0]?.at_ms, refusals.at(-1)?.at_ms]
    if (first === undefined || last === undefined) return kind === 'refusal' ? undefined : filter
    return { ...filter, sinceMs: Math.max(sinceMs, first - aroundMs), untilMs: Math.min(untilMs, last + aroundMs) }
  }

  return {
    async append(events: AuditEvents) {
      if (events.length > 0) await engine.commit([], events)
    },
    note: queue.note,
    flush: queue.flush,
    async list(filter, after, limit) {
      const narrow = await narrowed(filter)
      return narrow === undefined ? [] : search(narrow, after, limit)
    },
    async newest(filter, limit, part = 'all') {
      const narrow = await narrowed(filter)
      if (narrow === undefined) return []
      const rows = await engine.read(newest[part]({ since_ms: narrow.sinceMs ?? 0, ...toFilter(narrow, limit) }))
      return rows.map(toEntry).reverse()
    },
    async page(filter, before, limit) {
      const narrow = await narrowed(filter)
      if (narrow === undefined) return { entries: [], next: undefined }
      const { rows, next } = await readPage(engine, narrow, before, limit)
      return { entries: rows.map(toEntry), next }
    },
    async activity(userId, before) {
      const from = before === undefined ? { at_ms: Number.MAX_SAFE_INTEGER, writer: '', seq: 0 } : toAfter(before)
      return (await engine.read(activity({ ...from, user_id: userId }))).map(toEntry)
    },
    async stored(after, limit, part = 'all') {
      const from = after === undefined ? { at_ms: Number.MIN_SAFE_INTEGER, writer: '', seq: 0 } : toAfter(after)
      return (await engine.read(stored[part]({ ...from, rows: limit }))).map(toStored)
    },
    async tails(fromMs, beforeMs) {
      const rows = await engine.read(tails({ from_ms: fromMs, before_ms: beforeMs }))
      return rows
        .map(({ at_ms: atMs, writer, seq, hash }) => ({ atMs, writer, seq, hash }))
        .sort((a, b) => (a.writer < b.writer ? -1 : 1))
    },
    async timeOf(fromMs, skip, part = 'all') {
      const [row] = await engine.read(timeOf[part]({ from_ms: fromMs, skip, rows: 1 }))
      return row?.at_ms
    },
    async countRefusals() {
      const [row] = await engine.read(countRefusals({}))
      return Number(row?.entries ?? 0)
    },
    async cut(beforeMs, part = 'all') {
      const between = { from_ms: Number.MIN_SAFE_INTEGER, before_ms: beforeMs }
      const { changes } = await engine.commit([remove[part](between)])
      return changes[0] ?? 0
    },
    async addCheckpoint({ number, atMs, statement }) {
      return (await engine.commit([mustChange(insertCheckpoint({ number, at_ms: atMs, statement }))])).applied
    },
    async checkpoints(afterNumber, limit) {
      return (await engine.read(checkpointsAfter({ after: afterNumber, rows: limit }))).map(toCheckpoint)
    },
    async removeCheckpoints(ranges) {
      if (ranges.length === 0) return 0
      const { changes } = await engine.commit(ranges.map(({ from, to }) => removeCheckpoints({ from, to })))
      return changes.reduce((sum, rows) => sum + rows, 0)
    },
    async lastCheckpoint() {
      const [row] = await engine.read(lastCheckpoint({ rows: 1 }))
      return row && toCheckpoint(row)
    },
    partitions,
  }
}

function toFilter(filter: AuditFilter, limit: number): Filter {
  return { ...membersOf(filter), until_ms: filter.untilMs ?? Number.MAX_SAFE_INTEGER, rows: limit }
}

const toAfter = ({ atMs, writer, seq }: AuditKey): After => ({ at_ms: atMs, writer, seq })

function toStored(row: AuditEntriesTable): StoredAuditEntry {
  return {
    atMs: row.at_ms,
    writer: row.writer,
    seq: row.seq,
    kind: row.kind,
    userId: row.user_id,
    clientId: row.client_id,
    traceId: row.trace_id,
    address: row.address,
    details: row.details,
    hash: row.hash,
  }
}

function toEntry(row: AuditEntriesTable): AuditEntry {
  return { ...toStored(row), details: detailsOf(row.details) }
}

/** The row may have been tampered with. Reading it must not fail; `audit verify` reports it. */
function detailsOf(text: string): AuditDetails {
  try {
    return JSON.parse(text) as AuditDetails
  } catch {
    return { unreadable: text }
  }
}

function toCheckpoint({ number, at_ms: atMs, statement }: AuditCheckpointsTable): AuditCheckpoint {
  return { number, atMs, statement }
}
