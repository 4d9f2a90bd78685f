/**
 * People by name of whom something is true that no index of them says: each window of people is looked through in the database, by
 * indexes of what belongs to them, and only those whom it is true of are returned.
 */
import type { Kysely, RawBuilder, Sql } from 'kysely'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type UserCondition, userPageRows, userWindow } from '../port/users.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import { type Database, listToText } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

type Given = { after: string; text: string; at_ms: number }
type Condition = (sql: Sql, p: Placeholders<Given>) => RawBuilder<boolean>

// One value at most of a subquery: a database makes no join of it, for which it could read a whole table.
const factor = (sql: Sql) => sql`coalesce(
  (select 1 from passkeys where passkeys.user_id = looked.id limit 1),
  (select 1 from second_factors where second_factors.user_id = looked.id and totp_secret is not null limit 1))`
const signIn = (sql: Sql, p: Placeholders<Given>) => sql`coalesce(
  (select 1 from sessions where sessions.user_id = looked.id and authenticated_at_ms >= ${p.at_ms} limit 1),
  (select 1 from known_browsers where known_browsers.user_id = looked.id and last_used_at_ms >= ${p.at_ms} limit 1))`
const isFrom = (sql: Sql, id: string, source: unknown) => sql`coalesce(
  (select 1 from import_origins where import_origins.id = ${sql.ref(id)} and kind = 'person' and origin = ${source} limit 1),
  (select 1 from external_registrations where external_registrations.user_id = ${sql.ref(id)} and provider = ${source} limit 1))`

const conditions: Readonly<Record<UserCondition['is'], Condition>> = {
  withFactor: (sql) => sql`${factor(sql)} is not null`,
  withoutFactor: (sql) => sql`${factor(sql)} is null`,
  signedInSince: (sql, p) => sql`${signIn(sql, p)} is not null`,
  notSignedInSince: (sql, p) => sql`${signIn(sql, p)} is null`,
  inGroup: (sql, p) =>
    sql`(select 1 from group_members where group_members.user_id = looked.id and group_id = ${p.text} limit 1) is not null`,
  from: (sql, p) => sql`${isFrom(sql, 'looked.id', p.text)} is not null`,
}
/** The next people by name, with their places in that order. */
const lookedAt = (db: Kysely<Database>, p: Placeholders<{ after: string }>, { sql, byBytes }: Tools) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`${byBytes('normalized_name')}`.as('place')])
    .where(byBytes('normalized_name'), '>', p.after)
    .orderBy(byBytes('normalized_name'))
    .limit(sql.lit(userWindow))
    .as('looked')
const windowOf = (is: UserCondition['is']) =>
  prepare(`user-windows.${is}`, (db, p: Placeholders<Given>, tools) =>
    db
      .selectFrom(lookedAt(db, p, tools))
      .select('looked.id')
      .where(conditions[is](tools.sql, p))
      .orderBy('looked.place')
      .limit(tools.sql.lit(userPageRows)),
  )
const windows = {
  withFactor: windowOf('withFactor'),
  withoutFactor: windowOf('withoutFactor'),
  signedInSince: windowOf('signedInSince'),
  notSignedInSince: windowOf('notSignedInSince'),
  inGroup: windowOf('inGroup'),
  from: windowOf('from'),
}
/** `seen`: how many people the window has. */
const end = prepare('user-windows.end', (db, p: Placeholders<{ after: string }>, tools) =>
  db
    .selectFrom(lookedAt(db, p, tools))
    .select(({ fn }) => [fn.max('looked.place').as('place'), tools.sql<number>`count(looked.id)`.as('seen')]),
)
const people = prepare('user-windows.people', (db, p: Placeholders<{ ids: string }>, { isOneOf, byBytes }) =>
  db.selectFrom('users').select(userColumns).where(isOneOf('id', p.ids)).orderBy(byBytes('normalized_name')),
)
const fromSource = prepare(
  'user-windows.fromSource',
  (db, p: Placeholders<{ ids: string; source: string }>, { sql, isOneOf }) =>
    db
      .selectFrom('users')
      .select('id')
      .where(isOneOf('id', p.ids))
      .where(sql<boolean>`${isFrom(sql, 'users.id', p.source)} is not null`),
)

export function sqlUserWindows(engine: Engine) {
  return {
    /**
     * Returns those of the next `userWindow` people by name after `after` of whom the condition is true, `userPageRows` at most.
     * `next`: where to go on; absent: nobody comes after these. `seen`: how many were looked through, at least.
     */
    async window(
      after: string,
      condition: UserCondition,
    ): Promise<{ readonly users: readonly User[]; readonly next?: string | undefined; readonly seen: number }> {
      const { is, text = '', atMs = 0 } = { text: undefined, atMs: undefined, ...condition }
      const [found, [looked]] = await Promise.all([
        engine.read(windows[is]({ after, text, at_ms: atMs })),
        engine.read(end({ after })),
      ])
      const inWindow = Number(looked?.seen ?? 0)
      const last = looked && inWindow === userWindow ? looked.place : undefined
      if (found.length === 0) return { users: [], next: last, seen: inWindow }
      const rows = await engine.read(people({ ids: listToText(found.map(({ id }) => id)) }))
      const isWhole = found.length < userPageRows
      const next = isWhole ? last : rows.at(-1)?.u_normalized_name
      return { users: rows.map(toUser), next, seen: isWhole ? inWindow : rows.length }
    },
    /** Returns those of the people who came by an import from there, or made their account with an account at the provider. */
    async fromSource(ids: readonly string[], source: string): Promise<ReadonlySet<string>> {
      const rows = await engine.read(fromSource({ ids: listToText(ids), source }))
      return new Set(rows.map(({ id }) => id))
    },
  }
}
