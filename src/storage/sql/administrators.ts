/**
 * Keeps an administrator: a statement that could take the last one away depends on another one, whose row stays as it is
 * until the commit. Of two administrators who take the role from each other at once, one keeps it.
 */
import type { ExpressionBuilder } from 'kysely'
import { isAdministrator } from '../../protocol/admin-scopes.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { LastAdministrator } from '../port/last-administrator.ts'
import { mustChange, type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type Database, type UsersTable } from './tables.ts'

type Other = ExpressionBuilder<Database & { readonly other: UsersTable }, 'other'>

/** As `isAdministrator`, but for a lock that has passed: who was locked by an operator does not count until unlocked. */
const administers = ({ and, or, eb }: Other, sql: Tools['sql']) =>
  and([
    sql<boolean>`replace(other.roles, '"latchkey-admin"', '') <> other.roles`,
    eb('other.disabled', '=', 0),
    eb('other.deletion_due_at_ms', 'is', null),
    or([eb('other.locked_until_ms', 'is', null), eb('other.lockout_began_at_ms', 'is not', null)]),
  ])

const updateKeeping = prepare(
  'administrators.update',
  (db, p: Placeholders<UsersTable & { decided_on: number }>, { sql, keepingRows }) =>
    db
      .updateTable('users')
      .set(pick(p, columns.users))
      .where('id', '=', p.id)
      .where('version', '=', p.decided_on)
      .where(({ exists }) =>
        exists(
          keepingRows(
            db
              .selectFrom('users as other')
              .select('other.id')
              .where('other.id', '<>', p.id)
              .where((eb) => administers(eb, sql)),
          ),
        ),
      ),
)
const deleteKeeping = prepare('administrators.delete', (db, p: Placeholders<{ id: string }>, { sql, keepingRows }) =>
  db
    .deleteFrom('users')
    .where('id', '=', p.id)
    .where(({ or, exists, not }) =>
      or([
        not(
          exists(
            db
              .selectFrom('users as other')
              .select('other.id')
              .where('other.id', '=', p.id)
              .where((eb) => administers(eb, sql)),
          ),
        ),
        exists(
          keepingRows(
            db
              .selectFrom('users as other')
              .select('other.id')
              .where('other.id', '<>', p.id)
              .where((eb) => administers(eb, sql)),
          ),
        ),
      ]),
    ),
)
const others = prepare('administrators.others', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom('users as other')
    .select('other.id as id')
    .where('other.id', '<>', p.id)
    .where((eb) => administers(eb, sql))
    .limit(sql.lit(1)),
)

const administrators = prepare('administrators.all', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db
    .selectFrom('users as other')
    .select('other.id as id')
    .where((eb) => administers(eb, sql)),
)
/** Changes nothing, but only if there is an administrator, whose row stays as it is until the commit. */
const requireOne = prepare('administrators.requireOne', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db
    .updateTable('users')
    .set({ version: sql<number>`version` })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('users as other')
        .select('other.id')
        .where((other) => administers(other as unknown as Other, sql))
        .orderBy('other.id')
        .limit(sql.lit(1)),
    ),
)

/** For the end of a commit that takes administrators away: it is applied only if there is one left. */
export function oneIsLeft(): Statement {
  return mustChange(requireOne({}))
}

/** Returns the ids of all administrators. */
export async function administratorsOf(engine: Engine): Promise<ReadonlySet<string>> {
  return new Set((await engine.read(administrators({}))).map(({ id }) => id))
}

/** Throws `LastAdministrator` if there is none but these. For a commit that was not applied. */
export async function requireAnother(engine: Engine, lost: ReadonlySet<string>): Promise<void> {
  if ((await administratorsOf(engine)).isSubsetOf(lost)) throw new LastAdministrator()
}

export { deleteKeeping, updateKeeping }

/** Whether the change takes an administrator away. */
export function losesAdministrator(before: User, after: User): boolean {
  return isAdministrator(before) && !isAdministrator(after)
}

/** Throws `LastAdministrator` if the person is the only one. For a commit that was not applied. */
export async function requireOther(engine: Engine, id: string): Promise<void> {
  if ((await engine.read(others({ id }))).length === 0) throw new LastAdministrator()
}
