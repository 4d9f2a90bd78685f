/** Statements over all entries of the trail, or over the chains of refusals only. */
import type { RawBuilder } from 'kysely'
import { refusalsMark } from '../../audit/chain.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import { columns } from './tables.ts'

/** A position in the order of keys. */
export type After = { at_ms: number; writer: string; seq: number }

export const isAfter = (p: Placeholders<After>, { sql, inPartitions }: Tools) =>
  inPartitions(
    sql`at_ms >= cast(${p.at_ms} as bigint)`,
    sql`(at_ms, writer, seq) > (cast(${p.at_ms} as bigint), cast(${p.writer} as text), cast(${p.seq} as bigint))`,
  )

export const isAny = ({ sql }: Tools) => sql<boolean>`true`
/** Matches the partial index on refusals. */
export const isRefusal = ({ sql }: Tools) => sql<boolean>`writer >= '${sql.raw(refusalsMark)}'`

type Portion = After & { rows: number }

const storedOf = (name: string, part: (tools: Tools) => RawBuilder<boolean>) =>
  prepare(name, (db, p: Placeholders<Portion>, tools) =>
    db
      .selectFrom('audit_entries')
      .select(columns.audit_entries)
      .where(isAfter(p, tools))
      .where(part(tools))
      .orderBy('at_ms')
      .orderBy('writer')
      .orderBy('seq')
      .limit(p.rows),
  )
export const stored = { all: storedOf('audit.stored', isAny), refusals: storedOf('audit.storedRefusals', isRefusal) }
const timesOf = (name: string, part: (tools: Tools) => RawBuilder<boolean>) =>
  prepare(name, (db, p: Placeholders<{ from_ms: number; skip: number; rows: number }>, tools) =>
    db
      .selectFrom('audit_entries')
      .select('at_ms')
      .where('at_ms', '>=', p.from_ms)
      .where(part(tools))
      .orderBy('at_ms')
      .orderBy('writer')
      .orderBy('seq')
      .limit(p.rows)
      .offset(p.skip),
  )
export const timeOf = { all: timesOf('audit.timeOf', isAny), refusals: timesOf('audit.timeOfRefusal', isRefusal) }
export const countRefusals = prepare('audit.countRefusals', (db, _: Placeholders<Record<never, never>>, tools) =>
  db
    .selectFrom('audit_entries')
    .select(({ fn }) => [fn.countAll<number>().as('entries')])
    .where(isRefusal(tools)),
)
/** Bounded on both sides: without knowing the values, a planner estimates a single bound as a third of the table. */
const removalOf = (name: string, part: (tools: Tools) => RawBuilder<boolean>) =>
  prepare(name, (db, p: Placeholders<{ from_ms: number; before_ms: number }>, tools) =>
    db.deleteFrom('audit_entries').where('at_ms', '>=', p.from_ms).where('at_ms', '<', p.before_ms).where(part(tools)),
  )
export const remove = {
  all: removalOf('audit.removeBefore', isAny),
  refusals: removalOf('audit.removeRefusalsBefore', isRefusal),
}
