import { roleKey, searchKeys } from '../../users/search.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type SearchFill, type UserSearch, userPageRows } from '../port/user-search.ts'
import { heldRoles, under } from './held-roles.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { isFree } from './removals.ts'
import type { Statement } from './statement.ts'
import { listToText } from './tables.ts'
import { keyPages } from './user-pages.ts'
import { toUser, userColumns } from './user-row.ts'

/** People whose keys are added in one commit. Their rows are held until it ends. */
const filledAtOnce = 100
/** The key of the only row of `user_search_fills`. */
const everybody = 'all'

const people = prepare('user-search.people', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.selectFrom('users').select(userColumns).where(isOneOf('id', p.ids)),
)
const firstUnder = prepare('user-search.firstUnder', (db, p: Placeholders<{ key: string; name: string }>, { sql }) =>
  db
    .selectFrom('user_search_keys')
    .select('user_id')
    .where('key', '=', p.key)
    .where(isFree('role', sql, p.name))
    .limit(sql.lit(1)),
)
/** `named`: the role as quoted in a stored list. */
const anyHolder = prepare('user-search.anyHolder', (db, p: Placeholders<{ named: string; name: string }>, { sql }) =>
  db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`replace(roles, ${p.named}, '') <> roles`)
    .where(isFree('role', sql, p.name))
    .limit(sql.lit(1)),
)
const withApp = prepare('user-search.withApp', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db
    .selectFrom('second_factors')
    .select('user_id')
    .where(isOneOf('user_id', p.ids))
    .where('totp_secret', 'is not', null),
)
const withPasskey = prepare('user-search.withPasskey', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.selectFrom('passkeys').select('user_id').where(isOneOf('user_id', p.ids)),
)

/** `where true`: without it SQLite reads `on conflict` as the condition of a join. */
const add = prepare('user-search.add', (db, p: Placeholders<{ user_id: string; keys: string }>, { sql, eachOf }) =>
  db
    .insertInto('user_search_keys')
    .columns(['key', 'user_id'])
    .expression(
      db
        .selectFrom(eachOf(p.keys))
        .select(['each.value', p.user_id.as('user_id')])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const removeAll = prepare('user-search.removeAll', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('user_search_keys').where('user_id', '=', p.user_id),
)
/** Keeps the key of those who were given the role meanwhile. */
const removeUnder = prepare('user-search.removeUnder', (db, p: Placeholders<{ key: string; named: string }>, { sql }) =>
  db
    .deleteFrom('user_search_keys')
    .where('key', '=', p.key)
    .where((eb) =>
      eb.not(
        eb.exists(
          db
            .selectFrom('users')
            .select('users.id')
            .where('users.id', '=', sql<string>`user_search_keys.user_id`)
            .where(sql<boolean>`replace(users.roles, ${p.named}, '') <> users.roles`),
        ),
      ),
    ),
)

const fill = prepare('user-search.fill', (db, _: Placeholders<Record<never, never>>) =>
  db
    .selectFrom('user_search_fills')
    .select(['after_id', 'people', 'began_at_ms', 'done'])
    .where('name', '=', everybody),
)
const begin = prepare('user-search.begin', (db, p: Placeholders<{ began_at_ms: number }>) =>
  db
    .insertInto('user_search_fills')
    .values({ name: everybody, after_id: '', people: 0, began_at_ms: p.began_at_ms, done: 0 })
    .onConflict((conflict) => conflict.doNothing()),
)
const nextPeople = prepare('user-search.nextPeople', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db.selectFrom('users').select(userColumns).where('id', '>', p.after).orderBy('id').limit(sql.lit(filledAtOnce)),
)
const keysOf = prepare('user-search.keysOf', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.selectFrom('user_search_keys').select(['key', 'user_id']).where(isOneOf('user_id', p.ids)),
)
type Step = { before: string; after: string; people: number }
const goOn = prepare('user-search.goOn', (db, p: Placeholders<Step>) =>
  db
    .updateTable('user_search_fills')
    .set({ after_id: p.after, people: p.people })
    .where('name', '=', everybody)
    .where('after_id', '=', p.before),
)
const end = prepare('user-search.end', (db, p: Placeholders<{ before: string }>) =>
  db.updateTable('user_search_fills').set({ done: 1 }).where('name', '=', everybody).where('after_id', '=', p.before),
)
type Decided = { user_id: string; decided_on: number }
/** This and the following hold the row of the user until the commit, and do nothing if it has changed. */
const removeAsRead = prepare('user-search.removeAsRead', (db, p: Placeholders<Decided>, { keepingRows }) =>
  db
    .deleteFrom('user_search_keys')
    .where('user_id', '=', p.user_id)
    .where(({ exists }) =>
      exists(
        keepingRows(
          db.selectFrom('users').select('id').where('id', '=', p.user_id).where('version', '=', p.decided_on),
        ),
      ),
    ),
)
const addAsRead = prepare(
  'user-search.addAsRead',
  (db, p: Placeholders<Decided & { keys: string }>, { sql, eachOf, keepingRows }) =>
    db
      .insertInto('user_search_keys')
      .columns(['key', 'user_id'])
      .expression(
        db
          .selectFrom(eachOf(p.keys))
          .innerJoin(
            keepingRows(
              db.selectFrom('users').select('id').where('id', '=', p.user_id).where('version', '=', p.decided_on),
            ).as('kept'),
            (on) => on.onTrue(),
          )
          .select(['each.value', 'kept.id'])
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing()),
)

export function sqlUserSearch(engine: Engine): UserSearch {
  async function findFill(): Promise<SearchFill | undefined> {
    const [row] = await engine.read(fill({}))
    if (row === undefined) return undefined
    const { after_id: afterId, people, began_at_ms: beganAtMs, done } = row
    return { afterId, people: Number(people), beganAtMs: Number(beganAtMs), isDone: done === 1 }
  }
  const isFilled = async () => (await findFill())?.isDone === true
  return {
    async page(start, after, atMost = userPageRows) {
      const rows = await engine.read(
        keyPages[atMost]({ end: `${start}g`, after_key: after.key, after_id: after.userId }),
      )
      const last = rows.length < atMost ? undefined : rows.at(-1)
      const next = last && { key: last.key, userId: last.user_id }
      const ids = [...new Set(rows.map(({ user_id }) => user_id))]
      const users = ids.length === 0 ? [] : await engine.read(people({ ids: listToText(ids) }))
      const byId = new Map(users.map((row) => [row.u_id, toUser(row)]))
      const found = rows.flatMap(({ key, user_id }) => {
        const user = byId.get(user_id)
        return user === undefined ? [] : [{ key, user }]
      })
      return next === undefined ? { found } : { found, next }
    },
    async holders(role, atMost) {
      if (!(await isFilled())) return undefined
      const found = (await engine.read(under({ key: roleKey(role) }))).map(toUser)
      return found.length > atMost ? undefined : found.filter(({ roles }) => roles.includes(role))
    },
    async isHeld(role) {
      if (await isFilled()) return (await engine.read(firstUnder({ key: roleKey(role), name: role }))).length > 0
      return (await engine.read(anyHolder({ named: JSON.stringify(role), name: role }))).length > 0
    },
    heldRoles: async () => heldRoles(engine, await isFilled()),
    async withSecondFactor(ids) {
      const named = { ids: listToText(ids) }
      const found = await Promise.all([engine.read(withApp(named)), engine.read(withPasskey(named))])
      return new Set(found.flat().map(({ user_id }) => user_id))
    },
    fill: findFill,
    async beginFill(nowMs) {
      await engine.commit([begin({ began_at_ms: nowMs })])
    },
    async fillNext({ afterId, people }: SearchFill) {
      const users = (await engine.read(nextPeople({ after: afterId }))).map(toUser)
      const last = users.at(-1)
      if (last === undefined) {
        await engine.commit([mustChange(end({ before: afterId }))])
        return
      }
      const present = await engine.read(keysOf({ ids: listToText(users.map(({ id }) => id)) }))
      const statements = users.flatMap((user) => {
        const known = present.filter((row) => row.user_id === user.id).map(({ key }) => key)
        return asRead(user, known)
      })
      const step = { before: afterId, after: last.id, people: people + users.length }
      await engine.commit([mustChange(goOn(step)), ...statements])
    },
  }
}

/** Returns what makes `known` the keys of the user as read. */
function asRead(user: User, known: readonly string[]): Statement[] {
  const keys = searchKeys(user)
  if (known.length === keys.length && known.every((key) => keys.includes(key))) return []
  const decided = { user_id: user.id, decided_on: user.version }
  return [
    ...(known.length === 0 ? [] : [removeAsRead(decided)]),
    ...(keys.length === 0 ? [] : [addAsRead({ ...decided, keys: listToText(keys) })]),
  ]
}

/**
 * Returns what follows the change of a user's row in the same commit, so that search finds the user as changed. Nothing for
 * a change of other members, such as a sign-in. `before` undefined: the user is new.
 */
export function searchStatements(before: User | undefined, after: User): Statement[] {
  if (before !== undefined && before.claims === after.claims && before.roles === after.roles) return []
  const keys = listToText(searchKeys(after))
  if (keys === listToText(before === undefined ? [] : searchKeys(before))) return []
  const user_id = after.id
  return [...(before === undefined ? [] : [removeAll({ user_id })]), ...(keys === '[]' ? [] : [add({ user_id, keys })])]
}

/** Follows the statement that takes a role from everybody. */
export function forgetRole(name: string): Statement {
  return removeUnder({ key: roleKey(name), named: JSON.stringify(name) })
}
