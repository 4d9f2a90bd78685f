/**
 * The audit trail in partitions by time, which retention drops as a whole. They cover all of time: one before all others,
 * those of equal length, and one after them, so that an entry always has its place, whatever the clock says. Without a default
 * partition PostgreSQL reads them in order and stops early.
 */
import type postgres from 'postgres'
import type { AuditPartitions } from '../port/audit.ts'
import { codeOf } from './errors.ts'
import {
  addBound,
  attach,
  beginPatiently,
  bound,
  create,
  dropBound,
  giveWay,
  lock,
  lockMs,
  modest,
  patient,
} from './partition-changes.ts'
import { inTransaction } from './pool.ts'

export type Partition = {
  readonly name: string
  /** Null: the one before all others. */
  readonly fromMs: number | null
  /** Null: the one after all others. */
  readonly beforeMs: number | null
  /** As PostgreSQL estimates. */
  readonly entries: number
}

const [before, after] = ['audit_entries_before', 'audit_entries_after']
const dayMs = 86_400_000
/** A bound is this far ahead when it is set, and removed when it is that near. */
const [boundAheadMs, boundNearMs] = [14 * dayMs, 2 * dayMs]
/** So many partitions are there ahead of time. */
const ahead = 2
type Run = (sql: postgres.Sql) => Promise<unknown>

/**
 * `ask`: runs work on a connection of the pool. `apart`: runs it on a connection without the time limits of requests.
 */
export function postgresPartitions(
  ask: <T>(work: (sql: postgres.Sql) => Promise<T>) => Promise<T>,
  apart: (work: Run) => Promise<unknown>,
): AuditPartitions {
  return {
    list: () => ask(readPartitions),

    async undivided() {
      const [row] = await ask((sql) =>
        sql.unsafe(
          `select greatest(reltuples, 0)::bigint as entries from pg_class where oid = to_regclass('audit_entries') and relkind = 'r'`,
        ),
      )
      return Number(row?.entries ?? 0)
    },

    async extend(nowMs) {
      const all = await ask(readPartitions)
      if (all.length === 0) return ask((sql) => removeStaleBound(sql, nowMs))
      const lengthMs = lengthOf(all)
      if (lengthMs === undefined || fromOf(all.at(-1)) >= nowMs + ahead * lengthMs) return
      await giveWay(modest, () =>
        ask((sql) =>
          inTransaction(sql, async (locked) => {
            await lock(locked)
            // Another process may have been first.
            const found = await readPartitions(locked)
            let fromMs = fromOf(found.at(-1))
            const [row] = await locked.unsafe(`select max(at_ms) as at_ms from ${after}`)
            const lastMs = row?.at_ms ?? null
            await locked.unsafe(`alter table audit_entries detach partition ${after}`)
            if (lastMs !== null) {
              // Entries of a clock that was ahead: their table becomes the next partition.
              const beforeMs = fromMs + lengthMs * Math.ceil((Number(lastMs) + 1 - fromMs) / lengthMs)
              await locked.unsafe(`alter table ${after} rename to ${nameOf(fromMs)}`)
              await attach(locked, nameOf(fromMs), fromMs, beforeMs)
              await create(locked, after)
              fromMs = beforeMs
            }
            // A service that was down for long leaves one long partition, not many empty ones.
            const firstMs = fromMs + lengthMs * Math.max(1, Math.floor((nowMs - fromMs) / lengthMs))
            for (let beforeMs = firstMs; fromMs < nowMs + ahead * lengthMs; beforeMs += lengthMs) {
              await create(locked, nameOf(fromMs))
              await attach(locked, nameOf(fromMs), fromMs, beforeMs)
              fromMs = beforeMs
            }
            await attach(locked, after, fromMs, null)
          }),
        ),
      )
    },

    async drop(beforeMs) {
      const untilMs = endOf(oldIn(await ask(readPartitions), beforeMs))
      if (untilMs === undefined) return
      // The first partition may still have millions of entries, or the room that they took.
      await apart((sql) => addBound(sql, before, untilMs, modest))
      await giveWay(modest, () =>
        ask((sql) =>
          inTransaction(sql, async (locked) => {
            await lock(locked)
            // Another process may have been first.
            const old = oldIn(await readPartitions(locked), beforeMs)
            const lastMs = endOf(old)
            if (lastMs !== undefined) {
              await locked.unsafe(`alter table audit_entries detach partition ${before}`)
              for (const { name } of old) await locked.unsafe(`drop table ${name}`)
              await attach(locked, before, null, lastMs)
            }
            await locked.unsafe(`alter table ${before} drop constraint if exists ${bound}`)
          }),
        ),
      )
    },

    async divide(lengthMs, nowMs) {
      if ((await ask(readPartitions)).length > 0) return 'divided before'
      const [row] = await ask((sql) => sql.unsafe('select max(at_ms) as at_ms from audit_entries'))
      // Far enough that entries do not reach it before the table is a partition, also those of a clock that is ahead.
      const lastMs = Math.max(nowMs, Number(row?.at_ms ?? 0))
      const untilMs = lengthMs * Math.ceil((lastMs + boundAheadMs) / lengthMs)
      await apart(async (sql) => {
        try {
          await addBound(sql, 'audit_entries', untilMs, patient)
          await giveWay(patient, () => inTransaction(sql, (locked) => becomePartitioned(locked, untilMs, lengthMs)))
        } catch (error) {
          await dropBound(sql, 'audit_entries', patient)
          throw error
        }
      })
      return 'divided'
    },
  }
}

/** Ascending; empty: the trail is one table. */
export async function readPartitions(sql: postgres.Sql | postgres.TransactionSql): Promise<Partition[]> {
  const rows = await sql
    .unsafe(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, greatest(c.reltuples, 0)::bigint as entries
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('audit_entries')`,
    )
    .catch((error: Error) => {
      // Relatives of PostgreSQL have no such catalogue.
      if (['42703', '42P01', '42883', '0A000'].includes(codeOf(error))) return []
      throw error
    })
  return rows
    .map(({ name, bound, entries }) => {
      const [, from, to] = /FROM \(([^)]*)\) TO \(([^)]*)\)/.exec(String(bound)) ?? []
      return { name: String(name), fromMs: timeIn(from), beforeMs: timeIn(to), entries: Number(entries) }
    })
    .sort((a, b) => (a.fromMs ?? Number.MIN_SAFE_INTEGER) - (b.fromMs ?? Number.MIN_SAFE_INTEGER))
}

/** The bound of a partition, such as `'1790000000000'` or `MINVALUE`. */
function timeIn(text: string | undefined): number | null {
  const digits = /-?\d+/.exec(text ?? '')?.[0]
  return digits === undefined ? null : Number(digits)
}

/** Those with both ends whose entries are all from before `beforeMs`. */
const oldIn = (all: readonly Partition[], beforeMs: number): Partition[] =>
  all.filter((one) => one.fromMs !== null && one.beforeMs !== null && one.beforeMs <= beforeMs)
const endOf = (some: readonly Partition[]): number | undefined => some.at(-1)?.beforeMs ?? undefined
const fromOf = (last: Partition | undefined): number => last?.fromMs ?? 0
const nameOf = (fromMs: number): string => `audit_entries_from_${fromMs}`

/** The length of the last of equal length: one may be longer, after a clock that was ahead. */
function lengthOf(all: readonly Partition[]): number | undefined {
  const lengths = all.flatMap(({ fromMs, beforeMs }) => (fromMs === null || beforeMs === null ? [] : beforeMs - fromMs))
  return lengths.length === 0 ? undefined : Math.min(...lengths)
}

/** Puts a table of the same columns and indexes in front of the table, which becomes its first partition. */
async function becomePartitioned(sql: postgres.TransactionSql, untilMs: number, lengthMs: number): Promise<void> {
  await beginPatiently(sql)
  await lock(sql)
  const indexes = await sql.unsafe(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisprimary as is_primary
     from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('audit_entries')`,
  )
  const [table] = await sql.unsafe(
    `select pg_get_userbyid(relowner) as owner from pg_class where oid = to_regclass('audit_entries')`,
  )
  const [checked] = await sql.unsafe(
    `select convalidated from pg_constraint where conrelid = to_regclass('audit_entries') and conname = '${bound}'`,
  )
  if (checked?.convalidated !== true) throw new Error('the bound of the table was removed meanwhile: try again')
  await sql.unsafe(`alter table audit_entries rename to ${before}`)
  for (const { name } of indexes) await sql.unsafe(`alter index ${name} rename to ${name}_before`)
  await sql.unsafe(`create table audit_entries (like ${before} including defaults) partition by range (at_ms)`)
  await sql`alter table audit_entries owner to ${sql(String(table?.owner))}`
  for (const { name, definition, is_primary: isPrimary } of indexes) {
    await sql.unsafe(
      isPrimary
        ? `alter table audit_entries add constraint ${name} primary key (at_ms, writer, seq)`
        : String(definition),
    )
  }
  await attach(sql, before, null, untilMs)
  await sql.unsafe(`alter table ${before} drop constraint ${bound}`)
  await create(sql, nameOf(untilMs))
  await attach(sql, nameOf(untilMs), untilMs, untilMs + lengthMs)
  await create(sql, after)
  await attach(sql, after, untilMs + lengthMs, null)
}

/** A division that was killed leaves its bound behind, which entries must not reach. */
async function removeStaleBound(sql: postgres.Sql, nowMs: number): Promise<void> {
  const [row] = await sql.unsafe(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = to_regclass('audit_entries') and conname = '${bound}'`,
  )
  const untilMs = row === undefined ? null : timeIn(String(row.definition))
  if (untilMs === null || untilMs > nowMs + boundNearMs) return
  await inTransaction(sql, async (locked) => {
    await locked.unsafe(`set local lock_timeout = ${lockMs}`)
    await locked.unsafe(`alter table audit_entries drop constraint if exists ${bound}`)
  })
}
