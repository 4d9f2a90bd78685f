/** Keeps the keys that find people as the rows of these people are. */
import { roleKey, searchKeys, valueKeys } from '../../users/search.ts'
import type { User } from '../../users/user.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { listToText } from './tables.ts'

/** `where true`: without it SQLite reads `on conflict` as the condition of a join. */
const add = prepare('search-keys.add', (db, p: Placeholders<{ user_id: string; keys: string }>, { sql, eachOf }) =>
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
const removeAll = prepare('search-keys.removeAll', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('user_search_keys').where('user_id', '=', p.user_id),
)
const removeSome = prepare(
  'search-keys.removeSome',
  (db, p: Placeholders<{ user_id: string; keys: string }>, { isOneOf }) =>
    db.deleteFrom('user_search_keys').where('user_id', '=', p.user_id).where(isOneOf('key', p.keys)),
)
/** Keeps the key of those who were given the role meanwhile. */
const removeUnder = prepare('search-keys.removeUnder', (db, p: Placeholders<{ key: string; named: string }>, { sql }) =>
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

type Decided = { user_id: string; decided_on: number }
/** This and the following hold the row of the user until the commit, and do nothing if it has changed. */
const removeAsRead = prepare('search-keys.removeAsRead', (db, p: Placeholders<Decided>, { keepingRows }) =>
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
  'search-keys.addAsRead',
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

/** Returns what makes `known` the keys of the user as read. */
export function asRead(user: User, known: readonly string[]): Statement[] {
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
  if (before !== undefined && isSameFor(before, after)) return []
  const keys = listToText(searchKeys(after))
  if (keys === listToText(before === undefined ? [] : searchKeys(before))) return []
  const user_id = after.id
  return [...(before === undefined ? [] : [removeAll({ user_id })]), ...(keys === '[]' ? [] : [add({ user_id, keys })])]
}

const isSameFor = (before: User, after: User): boolean =>
  before.claims === after.claims && before.roles === after.roles && before.attributes === after.attributes

/** Follows the statement that takes a value from a person. */
export function forgetValues(
  user_id: string,
  before: User['attributes'],
  after: User['attributes'],
): readonly Statement[] {
  const left = new Set(valueKeys(after))
  const gone = valueKeys(before).filter((key) => !left.has(key))
  const found = [...left].filter((key) => !valueKeys(before).includes(key))
  return [
    ...(gone.length === 0 ? [] : [removeSome({ user_id, keys: listToText(gone) })]),
    // With fewer values, words that were too many are found.
    ...(found.length === 0 ? [] : [add({ user_id, keys: listToText(found) })]),
  ]
}

/** Follows the statement that takes a role from everybody. */
export function forgetRole(name: string): Statement {
  return removeUnder({ key: roleKey(name), named: JSON.stringify(name) })
}
