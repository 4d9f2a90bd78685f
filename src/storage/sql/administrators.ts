/**
 * Keeps an administrator: a statement that could take the last one away depends on another one, whose row stays as it is
 * until the commit. Of two administrators who take the role from each other at once, one keeps it.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { isAdministrator } from '../../protocol/scope/admin-scopes.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { LastAdministrator } from '../port/users.ts'
import { mustChange, type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type Database, type UsersTable } from './tables.ts'

/** `confirmed_only`: 1 where nobody signs in without a confirmed address. */
export type Eligible = { confirmed_only: number }
type Other = ExpressionBuilder<Database & { readonly other: UsersTable }, 'other'>

/** As `isAdministrator`, but for a lock that has passed: who was locked by an operator does not count until unlocked. */
const administers = ({ and, or, eb }: Other, sql: Tools['sql'], p: Placeholders<Eligible>) =>
  and([
    sql<boolean>`(${p.confirmed_only} = 0 or other.email_confirmed = 1)`,
    sql<boolean>`replace(other.roles, '"latchkey-admin"', '') <> other.roles`,
    eb('other.disabled', '=', 0),
    eb('other.deletion_due_at_ms', 'is', null),
    or([eb('other.locked_until_ms', 'is', null), eb('other.lockout_began_at_ms', 'is not', null)]),
  ])

/** Whether somebody else administers the service, whose row stays as it is until the commit. */
export function anotherAdministers(
  db: Kysely<Database>,
  p: Placeholders<Eligible & { id: string }>,
  { sql, keepingRows }: Tools,
) {
  return keepingRows(
    db
      .selectFrom('users as other')
      .select('other.id')
      .where('other.id', '<>', p.id)
      .where((eb) => administers(eb, sql, p)),
  )
}

const updateKeeping = prepare(
  'administrators.update',
  (db, p: Placeholders<UsersTable & Eligible & { decided_on: number }>, tools) =>
    db
      .updateTable('users')
      .set(pick(p, columns.users))
      .where('id', '=', p.id)
      .where('version', '=', p.decided_on)
      .where(({ exists }) => exists(anotherAdministers(db, p, tools))),
)
const deleteKeeping = prepare('administrators.delete', (db, p: Placeholders<Eligible & { id: string }>, tools) =>
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
              .where((eb) => administers(eb, tools.sql, p)),
          ),
        ),
        exists(anotherAdministers(db, p, tools)),
      ]),
    ),
)
const others = prepare('administrators.others', (db, p: Placeholders<Eligible & { id: string }>, { sql }) =>
  db
    .selectFrom('users as other')
    .select('other.id as id')
    .where('other.id', '<>', p.id)
    .where((eb) => administers(eb, sql, p))
    .limit(sql.lit(1)),
)

const administrators = prepare('administrators.all', (db, p: Placeholders<Eligible>, { sql }) =>
  db
    .selectFrom('users as other')
    .select('other.id as id')
    .where((eb) => administers(eb, sql, p)),
)
/** Changes nothing, but only if there is an administrator, whose row stays as it is until the commit. */
const requireOne = prepare('administrators.requireOne', (db, p: Placeholders<Eligible>, { sql }) =>
  db
    .updateTable('users')
    .set({ version: sql<number>`version` })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('users as other')
        .select('other.id')
        .where((other) => administers(other as unknown as Other, sql, p))
        .orderBy('other.id')
        .limit(sql.lit(1)),
    ),
)

/** What keeps an administrator. `needsConfirmedEmail`: whether people sign in with a confirmed address alone. */
export function keepingAdministrators(engine: Engine, needsConfirmedEmail: () => boolean) {
  const eligible = (): Eligible => ({ confirmed_only: Number(needsConfirmedEmail()) })
  const administersNow = (user: User): boolean =>
    isAdministrator(user) && (user.emailConfirmed || !needsConfirmedEmail())
  const all = async (): Promise<ReadonlySet<string>> =>
    new Set((await engine.read(administrators(eligible()))).map(({ id }) => id))
  return {
    eligible,
    /** Whether somebody can administer the service. */
    isAdministrator: administersNow,
    /** Whether the change takes an administrator away. */
    loses: (before: User, after: User): boolean => administersNow(before) && !administersNow(after),
    update: (values: UsersTable & { decided_on: number }): Statement => updateKeeping({ ...values, ...eligible() }),
    remove: (id: string): Statement => deleteKeeping({ id, ...eligible() }),
    /** For the end of a commit that takes administrators away: it is applied only if there is one left. */
    oneIsLeft: (): Statement => mustChange(requireOne(eligible())),
    /** Returns the ids of all administrators. */
    all,
    /** Throws `LastAdministrator` if there is none but these. For a commit that was not applied. */
    async requireAnother(lost: ReadonlySet<string>): Promise<void> {
      if ((await all()).isSubsetOf(lost)) throw new LastAdministrator()
    },
    /** Throws `LastAdministrator` if the person is the only one. For a commit that was not applied. */
    async requireOther(id: string): Promise<void> {
      if ((await engine.read(others({ id, ...eligible() }))).length === 0) throw new LastAdministrator()
    },
  }
}

export type KeepingAdministrators = ReturnType<typeof keepingAdministrators>
