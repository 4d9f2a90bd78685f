/** What clients did, by the day. */
import { activitySteps, type ClientActivity } from '../../audit/activity.ts'
import type { Engine } from '../engine.ts'
import type { ClientUse } from '../port/statistics.ts'
import { type Placeholders, prepare, selected } from './prepared.ts'
import type { Statement } from './statement.ts'
import { type ClientActivityTable, columns, listToText } from './tables.ts'

/** A client that has gone meanwhile gets no row. */
const add = prepare('client-activity.add', (db, p: Placeholders<ClientActivityTable>, { sql }) => {
  const sum = (name: 'sign_ins' | 'tokens') =>
    sql<number>`${sql.ref(`client_activity.${name}`)} + ${sql.ref(`excluded.${name}`)}`
  return db
    .insertInto('client_activity')
    .columns(columns.client_activity)
    .expression(
      db
        .selectNoFrom(selected(p, columns.client_activity))
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('clients').select('id').where('id', '=', p.client_id).where('deleted', '=', sql.lit(0))),
        ),
    )
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'day_ms']).doUpdateSet({
        sign_ins: sum('sign_ins'),
        tokens: sum('tokens'),
        last_at_ms: sql<number>`case when client_activity.last_at_ms > excluded.last_at_ms
          then client_activity.last_at_ms else excluded.last_at_ms end`,
      }),
    )
})

type OfClients = { ids: string; from_ms: number }

/** The last day has the last use, so that no other one is read for it. */
const ofClients = prepare('client-activity.ofClients', (db, p: Placeholders<OfClients>, { sql, isOneOf }) => {
  const since = (name: 'sign_ins' | 'tokens') =>
    sql<number>`(select cast(coalesce(sum(${sql.ref(name)}), 0) as bigint) from client_activity
      where client_id = clients.id and day_ms >= ${p.from_ms})`.as(name)
  return db
    .selectFrom('clients')
    .select(({ selectFrom }) => [
      'id as client_id',
      since('sign_ins'),
      since('tokens'),
      selectFrom('client_activity')
        .select('last_at_ms')
        .whereRef('client_id', '=', 'clients.id')
        .orderBy('day_ms', 'desc')
        .limit(sql.lit(1))
        .as('last_at_ms'),
    ])
    .where('deleted', '=', sql.lit(0))
    .where(isOneOf('id', p.ids))
})

const usedAmong = prepare('client-activity.usedAmong', (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
  db
    .selectFrom('clients')
    .select('id')
    .where(isOneOf('id', p.ids))
    .where('deleted', '=', sql.lit(0))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('client_activity').select('client_id').whereRef('client_activity.client_id', '=', 'clients.id'),
      ),
    ),
)

type Period = { client_id: string; from_ms: number; before_ms: number }

const byDay = prepare('client-activity.byDay', (db, p: Placeholders<Period>) =>
  db
    .selectFrom('client_activity')
    .select(columns.client_activity)
    .where('client_id', '=', p.client_id)
    .where('day_ms', '>=', p.from_ms)
    .where('day_ms', '<', p.before_ms)
    .orderBy('day_ms'),
)
const first = prepare('client-activity.first', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('client_activity').select('day_ms').orderBy('day_ms').limit(sql.lit(1)),
)

/** `flush`: writes what this process counted so far. */
export function sqlClientActivity(engine: Engine, flush: () => Promise<void>) {
  // What cannot be written is kept, and read later.
  const written = () => flush().catch(() => {})
  return {
    /**
     * Returns for each of these clients what it did from the day on that begins at `fromMs`, and when it last got tokens in the time that
     * counts are kept. One that did nothing is absent. Includes what this process counted so far; other processes add theirs
     * within seconds. One read, of the rows since that day and one more a client.
     */
    async ofClients(ids: readonly string[], fromMs: number): Promise<readonly ClientUse[]> {
      await written()
      const rows = await engine.read(ofClients({ ids: listToText([...new Set(ids)]), from_ms: fromMs }))
      return rows.flatMap(({ client_id, sign_ins, tokens, last_at_ms }) =>
        last_at_ms === null
          ? []
          : { clientId: client_id, signIns: Number(sign_ins), tokens: Number(tokens), lastAtMs: Number(last_at_ms) },
      )
    },
    /** Returns those of these clients that did anything on the days that counts are kept of. One read, of one row a client. */
    async usedAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
      await written()
      const rows = await engine.read(usedAmong({ ids: listToText([...new Set(ids)]) }))
      return new Set(rows.map(({ id }) => id))
    },
    /** Returns what a client did each day from `fromMs` (inclusive) to `beforeMs` (exclusive), ascending; other days are absent. */
    async byDay(clientId: string, fromMs: number, beforeMs: number): Promise<readonly ClientActivity[]> {
      await written()
      const rows = await engine.read(byDay({ client_id: clientId, from_ms: fromMs, before_ms: beforeMs }))
      return rows.map(({ client_id, day_ms, sign_ins, tokens, last_at_ms }) => ({
        clientId: client_id,
        startsAtMs: Number(day_ms),
        signIns: Number(sign_ins),
        tokens: Number(tokens),
        lastAtMs: Number(last_at_ms),
      }))
    },
    /** Returns the first day that anything is counted of, of any client; undefined: nothing is. */
    async countedSince(): Promise<number | undefined> {
      await written()
      const [row] = await engine.read(first({}))
      return row && Number(row.day_ms)
    },
  }
}

/** Returns the statement that adds to the counts of a client and day. */
export const addedClientActivity = ({ clientId, startsAtMs, signIns, tokens, lastAtMs }: ClientActivity): Statement =>
  add({
    client_id: clientId,
    day_ms: Math.floor(startsAtMs / activitySteps.day) * activitySteps.day,
    sign_ins: signIns,
    tokens,
    last_at_ms: lastAtMs,
  })
