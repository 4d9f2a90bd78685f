/** Pages of people by the beginning of a name or an address, and of the keys that find them, as a search needs them. */
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { fewUserRows, type UserRows, userPageRows } from '../port/users.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { toUser, userColumns } from './user-row.ts'

const pageBy = (column: 'normalized_name' | 'normalized_email', rows: UserRows) =>
  prepare(
    `user-pages.${column}${rows}`,
    (db, p: Placeholders<{ start: string; end: string; after: string }>, { sql, byBytes }) =>
      db
        .selectFrom('users')
        .select(userColumns)
        .where(byBytes(column), '>=', p.start)
        .where(byBytes(column), '<', p.end)
        .where(byBytes(column), '>', p.after)
        .orderBy(byBytes(column))
        .limit(sql.lit(rows)),
  )
const pagesBy = (column: 'normalized_name' | 'normalized_email') => ({
  [userPageRows]: pageBy(column, userPageRows),
  [fewUserRows]: pageBy(column, fewUserRows),
})
const pages = { name: pagesBy('normalized_name'), email: pagesBy('normalized_email') }

/** Read by itself: with a join, a database may prefer to read all people. */
const keyPage = (rows: UserRows) =>
  prepare(
    `user-pages.keys${rows}`,
    (db, p: Placeholders<{ end: string; after_key: string; after_id: string }>, { sql }) =>
      db
        .selectFrom('user_search_keys')
        .select(['key', 'user_id'])
        .where((eb) => eb(eb.refTuple('key', 'user_id'), '>', sql`(${p.after_key}, ${p.after_id})` as never))
        .where('key', '<', p.end)
        .orderBy('key')
        .orderBy('user_id')
        .limit(sql.lit(rows)),
  )
export const keyPages = { [userPageRows]: keyPage(userPageRows), [fewUserRows]: keyPage(fewUserRows) }

/** Sorts after every other character. */
const last = '\u{10ffff}'

export async function userPage(
  engine: Engine,
  by: 'name' | 'email',
  start: string,
  after: string,
  atMost: UserRows = userPageRows,
): Promise<User[]> {
  return (await engine.read(pages[by][atMost]({ start, end: start + last, after }))).map(toUser)
}
