/** The roles that somebody has, from the index that finds people. */
import { roleKey, roleOfKey } from '../../users/search.ts'
import type { Engine } from '../engine.ts'
import { holdersAtMost } from '../port/user-search.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { userColumns } from './user-row.ts'

export const under = prepare('user-search.under', (db, p: Placeholders<{ key: string }>, { sql }) =>
  db
    .selectFrom('user_search_keys')
    .innerJoin('users', 'users.id', 'user_search_keys.user_id')
    .select(userColumns)
    .where('user_search_keys.key', '=', p.key)
    .limit(sql.lit(holdersAtMost + 1)),
)
const roleListsOfAll = prepare('user-search.roleListsOfAll', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('users').select('roles').distinct().where('roles', '<>', '[]'),
)
/** Steps from each key to the next one, so that it reads one row of the index for a role, however many have it. */
const keysOfRoles = prepare('user-search.keysOfRoles', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db
    .withRecursive('held', (cte) =>
      cte
        .selectFrom('user_search_keys')
        .select(({ fn }) => fn.min<string | null>('key').as('key'))
        .where('key', '>=', sql.lit('r'))
        .where('key', '<', sql.lit('s'))
        .unionAll(
          cte
            .selectFrom('held')
            .select(({ selectFrom }) =>
              selectFrom('user_search_keys')
                .select(({ fn }) => fn.min<string | null>('user_search_keys.key').as('key'))
                .whereRef('user_search_keys.key', '>', 'held.key')
                .where('user_search_keys.key', '<', sql.lit('s'))
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
const removedRoles = prepare('held-roles.removed', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('removals').select('name').where('kind', '=', sql.lit('role')),
)
/** `isFilled`: whether the index has everybody. */
export async function heldRoles(engine: Engine, isFilled: boolean): Promise<string[]> {
  const removed = (await engine.read(removedRoles({}))).map(({ name }) => name)
  return (await storedRoles(engine, isFilled)).filter((role) => !removed.includes(role))
}

async function storedRoles(engine: Engine, isFilled: boolean): Promise<string[]> {
  if (!isFilled) return rolesIn((await engine.read(roleListsOfAll({}))).map(({ roles }) => roles))
  const keys = (await engine.read(keysOfRoles({}))).map(({ key }) => key ?? '')
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
