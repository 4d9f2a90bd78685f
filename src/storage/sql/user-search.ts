/** Finds people by the words of their full name, by their roles, and by their second factors. */
import type { Givers } from '../../users/effective-roles.ts'
import { roleKey } from '../../users/search.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type Found, type IndexPlace, type SearchFill, type UserRows, userPageRows } from '../port/users.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { isFree } from './removals.ts'
import { heldRoles, peopleGiven, peopleUnder } from './role-holders.ts'
import { asRead } from './search-keys.ts'
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
export function sqlUserSearch(engine: Engine) {
  async function findFill(): Promise<SearchFill | undefined> {
    const [row] = await engine.read(fill({}))
    if (row === undefined) return undefined
    const { after_id: afterId, people, began_at_ms: beganAtMs, done } = row
    return { afterId, people: Number(people), beganAtMs: Number(beganAtMs), isDone: done === 1 }
  }
  const isFilled = async () => (await findFill())?.isDone === true
  return {
    /**
     * Reads at most `atMost` rows (default: `userPageRows`) of the index after `after` whose key begins with `start`, ascending by key and id.
     * A person with several such words is in several rows. `next`: the last row read; absent: no row comes after these.
     */
    async page(
      start: string,
      after: IndexPlace,
      atMost: UserRows = userPageRows,
    ): Promise<{ readonly found: readonly Found[]; readonly next?: IndexPlace }> {
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
    /**
     * Returns some people with the role, at most `atMost`, in no order. Undefined: more have it, or the index is not filled
     * yet.
     */
    async holders(role: string, atMost: number): Promise<User[] | undefined> {
      if (!(await isFilled())) return undefined
      const found = await peopleUnder(engine, role)
      return found.length > atMost ? undefined : found.filter(({ roles }) => roles.includes(role))
    },
    /**
     * Returns the people who have a role in effect, by these givers of it (`giversOf`), in no order. Undefined: they are more than
     * `holdersAtMost`, or everybody, or the index is not filled yet.
     */
    async given(givers: Givers): Promise<User[] | undefined> {
      return givers.isEverybodys || !(await isFilled()) ? undefined : peopleGiven(engine, givers)
    },
    /** Whether anybody has the role. Reads the index, or all people while it is not filled. */
    async isHeld(role: string): Promise<boolean> {
      if (await isFilled()) return (await engine.read(firstUnder({ key: roleKey(role), name: role }))).length > 0
      return (await engine.read(anyHolder({ named: JSON.stringify(role), name: role }))).length > 0
    },
    /**
     * Returns the roles that somebody has and that begin with a text, at most `holdersAtMost`. Reads a row of the index for each, or all
     * people while it is not filled.
     */
    heldRoles: async (start = ''): Promise<string[]> => heldRoles(engine, await isFilled(), start),
    /** Returns those of the people who have an authenticator app or a passkey. */
    async withSecondFactor(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const named = { ids: listToText(ids) }
      const found = await Promise.all([engine.read(withApp(named)), engine.read(withPasskey(named))])
      return new Set(found.flat().map(({ user_id }) => user_id))
    },
    /** How far people who were there before the index are in it; undefined: their addition did not begin. */
    fill: findFill,
    /** Does nothing if it began already. */
    async beginFill(nowMs: number): Promise<void> {
      await engine.commit([begin({ began_at_ms: nowMs })])
    },
    /**
     * Adds the keys of the next people, a hundred at most, and ends the fill after the last. Does nothing if another
     * process was first. Somebody who changes meanwhile is left with the keys of that change.
     */
    async fillNext({ afterId, people }: SearchFill): Promise<void> {
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
