/** What operators see at a glance: how many there are of something, and what happened over time. */
import {
  type Activity,
  type ActivityStep,
  activityKinds,
  activitySteps,
  type ClientActivity,
} from '../../audit/activity.ts'
import { consoleClientId } from '../../protocol/client/client.ts'
import type { Engine } from '../engine.ts'
import type { TotalKind } from '../port/statistics.ts'
import { type CountedWindow, totalsWith } from '../totals.ts'
import { addedClientActivity } from './client-activity.ts'
import { type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import { type ActivityHoursTable, columns } from './tables.ts'

const add = prepare('statistics.add', (db, p: Placeholders<ActivityHoursTable>, { sql }) =>
  db
    .insertInto('activity_hours')
    .values(pick(p, columns.activity_hours))
    .onConflict((conflict) =>
      conflict
        .column('hour_ms')
        .doUpdateSet(
          Object.fromEntries(
            activityKinds.map((kind) => [
              kind,
              sql<number>`${sql.ref(`activity_hours.${kind}`)} + ${sql.ref(`excluded.${kind}`)}`,
            ]),
          ),
        ),
    ),
)

type Period = { from_ms: number; before_ms: number }

const activityBy = (name: string, step: ActivityStep) =>
  prepare(name, (db, p: Placeholders<Period>, { sql }) => {
    const start = sql<number>`hour_ms - hour_ms % ${sql.lit(activitySteps[step])}`
    const sum = (kind: (typeof activityKinds)[number]) => sql<number>`cast(sum(${sql.ref(kind)}) as bigint)`.as(kind)
    return db
      .selectFrom('activity_hours')
      .select([start.as('starts_at_ms'), ...activityKinds.map(sum)])
      .where('hour_ms', '>=', p.from_ms)
      .where('hour_ms', '<', p.before_ms)
      .groupBy(start)
      .orderBy('starts_at_ms')
  })
const activity = { hour: activityBy('statistics.byHour', 'hour'), day: activityBy('statistics.byDay', 'day') }

/** Rows counted at once: few enough not to delay requests noticeably. */
const windowRows = 1000

type Window = { after: string; now_ms: number }

const windowOf = (
  name: string,
  table: 'users' | 'clients' | 'sessions' | 'grants',
  isCounted: (p: Placeholders<Window>, tools: Tools) => ReturnType<Tools['sql']>,
) =>
  prepare(name, (db, p: Placeholders<Window>, tools) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom(table)
          .select(['id', tools.sql<number>`case when ${isCounted(p, tools)} then 1 else 0 end`.as('counted')])
          .where('id', '>', p.after)
          .orderBy('id')
          .limit(tools.sql.lit(windowRows))
          .as('w'),
      )
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        fn.sum<number | null>('w.counted').as('counted'),
        fn.max('w.id').as('last'),
      ]),
  )
const all = (_: unknown, { sql }: Tools) => sql`true`
const windows = {
  people: windowOf('statistics.people', 'users', all),
  clients: windowOf('statistics.clients', 'clients', (_, { sql }) => sql`deleted = 0`),
  sessions: windowOf('statistics.sessions', 'sessions', (p, { sql }) => sql`expires_at_ms > ${p.now_ms}`),
  grants: windowOf(
    'statistics.grants',
    'grants',
    (p, { sql }) =>
      sql`expires_at_ms > ${p.now_ms} and revoked_at_ms is null and client_id <> ${sql.lit(consoleClientId)}`,
  ),
}

/** `flush`: writes what this process counted so far. `monotonic`: milliseconds that never jump. */
export function sqlStatistics(engine: Engine, flush: () => Promise<void>, monotonic: () => number) {
  async function countWindow(kind: TotalKind, after: string, nowMs: number): Promise<CountedWindow> {
    const [row] = await engine.read(windows[kind]({ after, now_ms: nowMs }))
    const isLast = Number(row?.rows ?? 0) < windowRows
    return { count: Number(row?.counted ?? 0), next: isLast ? undefined : row?.last }
  }

  return {
    /** Adds to the counts of hours, and to those of clients that are there, in one commit. */
    add: (hours: readonly Activity[], clients?: readonly ClientActivity[]): Promise<void> =>
      addActivity(engine, hours, clients),
    /**
     * Returns the counts from `fromMs` (inclusive) to `beforeMs` (exclusive) by hour or by day in UTC, ascending; steps in which nothing
     * happened are absent. Includes what this process counted so far; other processes add theirs within seconds.
     */
    async activity(fromMs: number, beforeMs: number, step: ActivityStep): Promise<Activity[]> {
      // What cannot be written is kept, and read later.
      await flush().catch(() => {})
      const rows = await engine.read(activity[step]({ from_ms: fromMs, before_ms: beforeMs }))
      return rows.map(({ starts_at_ms, ...counts }) => ({ startsAtMs: Number(starts_at_ms), ...numbers(counts) }))
    },
    /**
     * Returns how many people and clients there are, and how many sessions and grants have not ended. Grants of the console do not count.
     * Takes a bounded time whatever there is: a large table is counted in the background, at most once a minute.
     */
    totals: totalsWith(countWindow, monotonic),
  }
}

export async function addActivity(
  engine: Engine,
  hours: readonly Activity[],
  clients: readonly ClientActivity[] = [],
): Promise<void> {
  await engine.commit([
    ...hours.map(({ startsAtMs, ...counts }) => add({ hour_ms: startsAtMs, ...counts })),
    ...clients.map(addedClientActivity),
  ])
}

const numbers = <Name extends string>(row: Record<Name, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Record<Name, number>
