/** Who has a role, and which roles somebody has, by the index that finds people. */
import { type Givers, isGiven } from '../../users/effective-roles.ts'
import { roleKey, roleOfKey } from '../../users/search.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { holdersAtMost } from '../port/users.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

const under = prepare('role-holders.under', (db, p: Placeholders<{ key: string }>, { sql }) =>
  db
    .selectFrom('user_search_keys')
    .innerJoin('users', 'users.id', 'user_search_keys.user_id')
    .select(userColumns)
    .where('user_search_keys.key', '=', p.key)
    .limit(sql.lit(holdersAtMost + 1)),
)
/** Each of both parts reads an index, and no more than is asked for at most. */
const given = prepare(
  'role-holders.given',
  (db, p: Placeholders<{ keys: string; groups: string }>, { sql, isOneOf }) => {
    const byRole = db
      .selectFrom('user_search_keys')
      .select('user_id')
      .distinct()
      .where(isOneOf('key', p.keys))
      .limit(sql.lit(holdersAtMost + 1))
      .as('by_role')
    const byGroup = db
      .selectFrom('group_members')
      .select('user_id')
      .distinct()
      .where(isOneOf('group_id', p.groups))
      .limit(sql.lit(holdersAtMost + 1))
      .as('by_group')
    return db
      .selectFrom('users')
      .select(userColumns)
      .where(
        'id',
        'in',
        db.selectFrom(byRole).select('by_role.user_id').union(db.selectFrom(byGroup).select('by_group.user_id')),
      )
      .limit(sql.lit(holdersAtMost + 1))
  },
)
const roleListsOfAll = prepare('role-holders.roleListsOfAll', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('users').select('roles').distinct().where('roles', '<>', '[]'),
)
/** Steps from each key to the next one, so that it reads one row of the index for a role, however many have it. */
const keysOfRoles = prepare(
  'role-holders.keysOfRoles',
  (db, p: Placeholders<{ start: string; end: string }>, { sql }) =>
    db
      .withRecursive('held', (cte) =>
        cte
          .selectFrom('user_search_keys')
          .select(({ fn }) => fn.min<string | null>('key').as('key'))
          .where('key', '>=', p.start)
          .where('key', '<', p.end)
          .unionAll(
            cte
              .selectFrom('held')
              .select(({ selectFrom }) =>
                selectFrom('user_search_keys')
                  .select(({ fn }) => fn.min<string | null>('user_search_keys.key').as('key'))
                  .whereRef('user_search_keys.key', '>', 'held.key')
                  .where('user_search_keys.key', '<', p.end)
                  .as('key'),
              )
              .where('held.key', 'is not', null),
          ),
      )
      .selectFrom('held')
      .select('key')
      .where('key', 'is not', null)
      .limit(sql.lit(holdersAtMost)),
)
const removedRoles = prepare('role-holders.removedRoles', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('removals').select('name').where('kind', '=', sql.lit('role')),
)

/** Returns the people in the rows under the key of the role, which a longer one may share, one more than `holdersAtMost` at most. */
export const peopleUnder = async (engine: Engine, role: string): Promise<User[]> =>
  (await engine.read(under({ key: roleKey(role) }))).map(toUser)

/** Returns the people to whom a role is given; undefined: more than `holdersAtMost`. */
export async function peopleGiven(engine: Engine, givers: Givers): Promise<User[] | undefined> {
  const keys = listToText([...givers.roles].map(roleKey))
  const found = (await engine.read(given({ keys, groups: listToText([...givers.groups]) }))).map(toUser)
  if (found.length > holdersAtMost) return undefined
  return found.filter(({ roles, groupIds = [] }) => isGiven(givers, roles, groupIds))
}

/** The roles that somebody has. `isFilled`: whether the index that finds people has everybody. */
export async function heldRoles(engine: Engine, isFilled: boolean, start: string): Promise<string[]> {
  const removed = (await engine.read(removedRoles({}))).map(({ name }) => name)
  const stored = await storedRoles(engine, isFilled, start)
  return stored.filter((role) => role.startsWith(start) && !removed.includes(role))
}

async function storedRoles(engine: Engine, isFilled: boolean, beginning: string): Promise<string[]> {
  if (!isFilled) return rolesIn((await engine.read(roleListsOfAll({}))).map(({ roles }) => roles))
  // The digits of a key end before this letter.
  const start = roleKey(beginning)
  const keys = (await engine.read(keysOfRoles({ start, end: `${start}g` }))).map(({ key }) => key ?? '')
  // The key of a long role may be cut: its holders have the whole name.
  const whole = keys.map((key) => roleOfKey(key))
  const cut = keys.filter((_, at) => whole[at] === undefined)
  const holders = await Promise.all(cut.map((key) => engine.read(under({ key }))))
  const long = rolesIn(holders.flat().map((row) => row.u_roles)).filter((role) => cut.includes(roleKey(role)))
  return [...whole.filter((role) => role !== undefined), ...long]
}

const rolesIn = (lists: readonly string[]): string[] => [
  ...new Set(lists.flatMap((list) => JSON.parse(list) as string[])),
]
