/**
 * The audit trail in storage. Verbs that change something take their events along; this part covers everything else.
 */
import type { RawBuilder } from 'kysely'
import type {
  AuditDetails,
  AuditEntry,
  AuditEvent,
  AuditEvents,
  AuditKey,
  StoredAuditEntry,
} from '../../audit/entry.ts'
import type { auditQueue } from '../audit-queue.ts'
import type { Engine } from '../engine.ts'
import {
  type AuditFilter,
  type AuditPage,
  type AuditPart,
  type AuditPartitions,
  type AuditTail,
  activityRows,
} from '../port/audit.ts'
import { sqlCheckpoints } from './audit-checkpoints.ts'
import { sqlLastEntries } from './audit-last.ts'
import { type Members, matches, membersOf, readPage } from './audit-pages.ts'
import { type After, countRefusals, isAfter, isAny, isRefusal, remove, stored, timeOf } from './audit-parts.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import { type AuditEntriesTable, columns } from './tables.ts'

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
/** Longer than any single request takes. */
const aroundMs = 3_600_000

const undivided: AuditPartitions = {
  list: async () => [],
  undivided: async () => 0,
  async extend() {},
  async drop() {},
  divide: async () => 'unsupported',
}

export function sqlAudit(engine: Engine, queue: ReturnType<typeof auditQueue>, partitions = undivided) {
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
    if (first === undefined || last === undefined) return String(kind) === 'refusal' ? undefined : filter
    return { ...filter, sinceMs: Math.max(sinceMs, first - aroundMs), untilMs: Math.min(untilMs, last + aroundMs) }
  }

  return {
    /** Records events without other changes, at once and in one commit. */
    async append(events: AuditEvents): Promise<void> {
      if (events.length > 0) await engine.commit([], events)
    },
    /**
     * Records an event shortly, in one commit with others; the caller does not wait. Counts events beyond the limits
     * instead. Written at the latest when the storage closes. Never throws and sends no request to the database.
     */
    note(event: AuditEvent): void {
      queue.note(event)
    },
    /** Writes the noted events that are still pending. */
    flush: (): Promise<void> => queue.flush(),
    /** Returns at most `limit` entries after `after`, in key order. */
    async list(filter: AuditFilter, after: AuditKey | undefined, limit: number): Promise<AuditEntry[]> {
      const narrow = await narrowed(filter)
      return narrow === undefined ? [] : search(narrow, after, limit)
    },
    /** Returns the last `limit` entries of a part (default: all), in key order. */
    async newest(filter: AuditFilter, limit: number, part: AuditPart = 'all'): Promise<AuditEntry[]> {
      const narrow = await narrowed(filter)
      if (narrow === undefined) return []
      const rows = await engine.read(newest[part]({ since_ms: narrow.sinceMs ?? 0, ...toFilter(narrow, limit) }))
      return rows.map(toEntry).reverse()
    },
    /**
     * Returns at most `limit` (up to `largestAuditPage`) entries before `before`, newest first. A page with filters can have fewer,
     * or none, before the last one: it reads at most `scannedAtMost` entries.
     */
    async page(filter: AuditFilter, before: AuditKey | undefined, limit: number): Promise<AuditPage> {
      const narrow = await narrowed(filter)
      if (narrow === undefined) return { entries: [], next: undefined }
      const { rows, next } = await readPage(engine, narrow, before, limit)
      return { entries: rows.map(toEntry), next }
    },
    /**
     * Returns the last `activityRows` entries about a person before `before`, newest first. Without issued tokens and refusals, of
     * which there are most.
     */
    async activity(userId: string, before: AuditKey | undefined): Promise<AuditEntry[]> {
      const from = before === undefined ? { at_ms: Number.MAX_SAFE_INTEGER, writer: '', seq: 0 } : toAfter(before)
      return (await engine.read(activity({ ...from, user_id: userId }))).map(toEntry)
    },
    /** Returns entries of a part (default: all) exactly as stored, in key order. */
    async stored(after: AuditKey | undefined, limit: number, part: AuditPart = 'all'): Promise<StoredAuditEntry[]> {
      const from = after === undefined ? { at_ms: Number.MIN_SAFE_INTEGER, writer: '', seq: 0 } : toAfter(after)
      return (await engine.read(stored[part]({ ...from, rows: limit }))).map(toStored)
    },
    /** Returns the last entry of every writer in the period from `fromMs` (inclusive) to `beforeMs` (exclusive). */
    async tails(fromMs: number, beforeMs: number): Promise<AuditTail[]> {
      const rows = await engine.read(tails({ from_ms: fromMs, before_ms: beforeMs }))
      return rows
        .map(({ at_ms: atMs, writer, seq, hash }) => ({ atMs, writer, seq, hash }))
        .sort((a, b) => (a.writer < b.writer ? -1 : 1))
    },
    /**
     * Returns the time of the oldest entry from `fromMs` on after skipping `skip`; undefined: there are no more than
     * `skip`.
     */
    async timeOf(fromMs: number, skip: number, part: AuditPart = 'all'): Promise<number | undefined> {
      const [row] = await engine.read(timeOf[part]({ from_ms: fromMs, skip, rows: 1 }))
      return row?.at_ms
    },
    /** Returns the number of entries in chains of refusals. */
    async countRefusals(): Promise<number> {
      const [row] = await engine.read(countRefusals({}))
      return Number(row?.entries ?? 0)
    },
    /** Removes all entries of a part before `beforeMs`. Returns their number. */
    async cut(beforeMs: number, part: AuditPart = 'all'): Promise<number> {
      const between = { from_ms: Number.MIN_SAFE_INTEGER, before_ms: beforeMs }
      const { changes } = await engine.commit([remove[part](between)])
      return changes[0] ?? 0
    },
    ...sqlCheckpoints(engine),
    ...sqlLastEntries(engine, toEntry),
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
