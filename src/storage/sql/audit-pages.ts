/** Pages of the trail, newest first. A page with filters reads a bounded part of the trail: most members have no index. */
import type { RawBuilder } from 'kysely'
import type { AuditKey } from '../../audit/entry.ts'
import { routineKinds, routineReason } from '../../audit/kinds.ts'
import type { Engine } from '../engine.ts'
import { type AuditFilter, largestAuditPage, scannedAtMost } from '../port/audit.ts'
import type { After } from './audit-parts.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import { columns } from './tables.ts'

/** Absent members (null) do not filter. */
export type Members = {
  /** A JSON array. */
  kinds: string | null
  user_id: string | null
  client_id: string | null
  trace_id: string | null
  without_client_id: string | null
}

export const matches = (p: Placeholders<Members>, { sql, isOneOf }: Tools) => {
  const equals = (name: 'user_id' | 'client_id' | 'trace_id') =>
    sql`(cast(${p[name]} as text) is null or ${sql.ref(name)} = ${p[name]})`
  const kinds = sql.join(routineKinds.map((kind) => sql.lit(kind)))
  // The reason is the first of the details of a refusal.
  const reason = sql.lit(`{"reason":"${routineReason}"%`)
  const isRoutine = sql`(kind in (${kinds}) or kind = 'refusal' and details like ${reason})`
  const all = [
    sql`(cast(${p.kinds} as text) is null or ${isOneOf('kind', p.kinds as RawBuilder<string>)})`,
    equals('user_id'),
    equals('client_id'),
    equals('trace_id'),
    sql`(cast(${p.without_client_id} as text) is null or client_id is null or client_id <> ${p.without_client_id} or not ${isRoutine})`,
  ]
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** From the first key (inclusive) to the second one (exclusive). */
type Between = After & { from_ms: number; from_writer: string; from_seq: number }

const isBetween = (p: Placeholders<Between>, { sql, inPartitions }: Tools) =>
  inPartitions(
    sql`at_ms >= cast(${p.from_ms} as bigint) and at_ms <= cast(${p.at_ms} as bigint)`,
    sql`(at_ms, writer, seq) >= (cast(${p.from_ms} as bigint), cast(${p.from_writer} as text), cast(${p.from_seq} as bigint))
    and (at_ms, writer, seq) < (cast(${p.at_ms} as bigint), cast(${p.writer} as text), cast(${p.seq} as bigint))`,
  )

/** As a literal, because PostgreSQL plans for a tenth of all rows where it does not know the limit. */
const pageRows = largestAuditPage + 1

const page = prepare('audit.page', (db, p: Placeholders<Between & Members>, tools) =>
  db
    .selectFrom('audit_entries')
    .select(columns.audit_entries)
    .where(isBetween(p, tools))
    .where(matches(p, tools))
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(tools.sql.lit(pageRows)),
)

/**
 * Without a filter, and without the first key: from conditions that it knows no values of, PostgreSQL concludes that few rows are
 * left, and sorts all of a divided trail in place of reading the end of it.
 */
const latest = prepare('audit.latest', (db, p: Placeholders<After>, { sql, inPartitions }) =>
  db
    .selectFrom('audit_entries')
    .select(columns.audit_entries)
    .where(
      inPartitions(
        sql`at_ms <= cast(${p.at_ms} as bigint)`,
        sql`(at_ms, writer, seq) < (cast(${p.at_ms} as bigint), cast(${p.writer} as text), cast(${p.seq} as bigint))`,
      ),
    )
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(sql.lit(pageRows)),
)
/** Returns the last key that a filtered page may read. */
const horizon = prepare('audit.horizon', (db, p: Placeholders<Between>, tools) =>
  db
    .selectFrom('audit_entries')
    .select(['at_ms', 'writer', 'seq'])
    .where(isBetween(p, tools))
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(tools.sql.lit(1))
    .offset(tools.sql.lit(scannedAtMost - 1)),
)

/** Returns at most `limit` rows, newest first, and the key that the next page is before. */
export async function readPage(engine: Engine, filter: AuditFilter, before: AuditKey | undefined, limit: number) {
  const { sinceMs = Number.MIN_SAFE_INTEGER, untilMs = Number.MAX_SAFE_INTEGER - 1 } = filter
  const isContinued = before !== undefined && before.atMs <= untilMs
  const end = isContinued ? before : { atMs: untilMs + 1, writer: '', seq: 0 }
  const bounds = {
    ...{ from_ms: sinceMs, from_writer: '', from_seq: 0 },
    ...{ at_ms: end.atMs, writer: end.writer, seq: end.seq },
  }
  const members = membersOf(filter)
  const isFiltered = Object.values(members).some((value) => value !== null)
  const [last] = isFiltered ? await engine.read(horizon(bounds)) : []
  const from = last && { from_ms: last.at_ms, from_writer: last.writer, from_seq: last.seq }
  const isWhole = !isFiltered && filter.sinceMs === undefined
  const found = await engine.read(
    isWhole ? latest({ at_ms: end.atMs, writer: end.writer, seq: end.seq }) : page({ ...bounds, ...from, ...members }),
  )
  const rows = found.slice(0, limit)
  const next = found.length > limit ? rows.at(-1) : last
  return { rows, next: next && { atMs: next.at_ms, writer: next.writer, seq: next.seq } }
}

export function membersOf({ kind, userId, clientId, traceId, withoutClientId }: AuditFilter): Members {
  const [user_id, client_id, trace_id] = [userId ?? null, clientId ?? null, traceId ?? null]
  const kinds = kind === undefined ? null : JSON.stringify([kind].flat())
  return { kinds, user_id, client_id, trace_id, without_client_id: withoutClientId ?? null }
}
