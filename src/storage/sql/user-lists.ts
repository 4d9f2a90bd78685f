/** People by other orders than their name, those in a state that few are in, and when they signed in last. */

import type { Sql } from 'kysely'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import {
  type BoundedCount,
  fewUserRows,
  peopleCountedTo,
  type TimePlace,
  type UserRows,
  type UserState,
  userPageRows,
} from '../port/users.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

/** As the indexes of migration 0142 have them: word for word, since they are used for nothing else. */
const conditions = {
  locked: (sql: Sql) => sql<boolean>`(disabled = 1 or locked_until_ms is not null)`,
  unconfirmed: (sql: Sql) => sql<boolean>`email_confirmed = 0`,
} as const

const bothSizes = <Made>(make: (rows: UserRows) => Made): Readonly<Record<UserRows, Made>> => ({
  [userPageRows]: make(userPageRows),
  [fewUserRows]: make(fewUserRows),
})

const stateBy = (state: UserState) =>
  bothSizes((rows) =>
    prepare(`user-lists.${state}${rows}`, (db, p: Placeholders<{ after: string }>, { sql, byBytes }) =>
      db
        .selectFrom('users')
        .select(userColumns)
        .where(conditions[state](sql))
        .where(byBytes('normalized_name'), '>', p.after)
        .orderBy(byBytes('normalized_name'))
        .limit(sql.lit(rows)),
    ),
  )
const states = { locked: stateBy('locked'), unconfirmed: stateBy('unconfirmed') }

const counted = {
  locked: prepare('user-lists.countLocked', (db, p: Placeholders<{ now_ms: number }>, { sql, byBytes }) =>
    db
      .selectFrom(
        db
          .selectFrom('users')
          .select(['disabled', 'locked_until_ms'])
          .where(conditions.locked(sql))
          .where(byBytes('normalized_name'), '>=', sql.lit(''))
          .orderBy(byBytes('normalized_name'))
          .limit(sql.lit(peopleCountedTo + 1))
          .as('some'),
      )
      .select([
        sql<number>`count(*)`.as('seen'),
        sql<number>`coalesce(sum(case when disabled = 1 or locked_until_ms > ${p.now_ms} then 1 else 0 end), 0)`.as(
          'held',
        ),
      ]),
  ),
  unconfirmed: prepare('user-lists.countUnconfirmed', (db, _: Placeholders<Record<never, never>>, { sql, byBytes }) =>
    db
      .selectFrom(
        db
          .selectFrom('users')
          .select('email_confirmed')
          .where(conditions.unconfirmed(sql))
          .where(byBytes('normalized_name'), '>=', sql.lit(''))
          .orderBy(byBytes('normalized_name'))
          .limit(sql.lit(peopleCountedTo + 1))
          .as('some'),
      )
      .select(sql<number>`count(*)`.as('seen')),
  ),
}

const namesBefore = bothSizes((rows) =>
  prepare(`user-lists.namesBefore${rows}`, (db, p: Placeholders<{ before: string }>, { sql, byBytes }) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where(byBytes('normalized_name'), '<', p.before)
      .orderBy(byBytes('normalized_name'), 'desc')
      .limit(sql.lit(rows)),
  ),
)

type Times = Placeholders<{ at_ms: number; id: string; bound_ms: number }>
const newer = bothSizes((rows) =>
  prepare(`user-lists.newer${rows}`, (db, p: Times, { sql }) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where((eb) => eb(eb.refTuple('created_at_ms', 'id'), '>', sql`(${p.at_ms}, ${p.id})` as never))
      .where('created_at_ms', '<', p.bound_ms)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(sql.lit(rows)),
  ),
)
const older = bothSizes((rows) =>
  prepare(`user-lists.older${rows}`, (db, p: Times, { sql }) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where((eb) => eb(eb.refTuple('created_at_ms', 'id'), '<', sql`(${p.at_ms}, ${p.id})` as never))
      .where('created_at_ms', '>=', p.bound_ms)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(rows)),
  ),
)

const bySession = prepare('user-lists.bySession', (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
  db
    .selectFrom('sessions')
    .select(['user_id', sql<number>`max(authenticated_at_ms)`.as('at_ms')])
    .where(isOneOf('user_id', p.ids))
    .groupBy('user_id'),
)
const byBrowser = prepare('user-lists.byBrowser', (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
  db
    .selectFrom('known_browsers')
    .select(['user_id', sql<number>`max(last_used_at_ms)`.as('at_ms')])
    .where(isOneOf('user_id', p.ids))
    .groupBy('user_id'),
)

/** Sorts after every normal form of a name. */
const lastName = '\u{10ffff}'

export function sqlUserLists(engine: Engine) {
  return {
    /** Returns people who are in the state, by name after `after`; of `locked`, perhaps some who no longer are. */
    inState: async (state: UserState, after: string, atMost: UserRows): Promise<User[]> =>
      (await engine.read(states[state][atMost]({ after }))).map(toUser),

    /** Counts those in the state, up to `peopleCountedTo`. */
    async count(state: UserState, nowMs: number): Promise<BoundedCount> {
      if (state === 'unconfirmed') {
        const [row] = await engine.read(counted.unconfirmed({}))
        return bounded(Number(row?.seen ?? 0), Number(row?.seen ?? 0))
      }
      const [row] = await engine.read(counted.locked({ now_ms: nowMs }))
      return bounded(Number(row?.seen ?? 0), Number(row?.held ?? 0))
    },

    /** Returns people by name, descending, from before `before` on (a normal form; empty: everybody). */
    namesBefore: async (before: string, atMost: UserRows): Promise<User[]> =>
      (await engine.read(namesBefore[atMost]({ before: before || lastName }))).map(toUser),

    /** Returns people by time, ascending, after a place and before `beforeMs`. */
    newer: async ({ createdAtMs, id }: TimePlace, beforeMs: number, atMost: UserRows): Promise<User[]> =>
      (await engine.read(newer[atMost]({ at_ms: createdAtMs, id, bound_ms: beforeMs }))).map(toUser),

    /** Returns people by time, descending, before a place and from `fromMs` on. */
    older: async ({ createdAtMs, id }: TimePlace, fromMs: number, atMost: UserRows): Promise<User[]> =>
      (await engine.read(older[atMost]({ at_ms: createdAtMs, id, bound_ms: fromMs }))).map(toUser),

    /**
     * Returns when people signed in last, in epoch milliseconds, as far as a session or a known browser tells: exact while the
     * session is there, to a day afterwards.
     */
    async lastSignIns(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const named = { ids: listToText(ids) }
      const found = await Promise.all([engine.read(bySession(named)), engine.read(byBrowser(named))])
      const last = new Map<string, number>()
      for (const { user_id, at_ms } of found.flat()) last.set(user_id, Math.max(last.get(user_id) ?? 0, Number(at_ms)))
      return last
    },
  }
}

const bounded = (seen: number, count: number): BoundedCount => ({
  count: Math.min(count, peopleCountedTo),
  exact: seen <= peopleCountedTo,
})
