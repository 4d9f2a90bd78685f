/** The names of users. Each name, e-mail address and name skeleton belongs to at most one user. */
import type { Expression, Kysely } from 'kysely'
import type { NameConflict } from '../../users/registration.ts'
import { emailKey, normalizeName, type User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type Database, type NamedUsersTable, type UsersTable } from './tables.ts'
import { fromNewUser } from './user-row.ts'

/** What must be free. `id`: the user who requests it. */
type Names = Pick<NamedUsersTable, 'id' | 'normalized_name' | 'normalized_email' | 'name_skeleton' | 'updated_at_ms'>
type Decided = { decided_on: number }

const namedColumns = [...columns.users, 'name_skeleton'] as const

/**
 * Inserts nothing if the name is another user's e-mail address or the address another user's name, because a sign-in
 * accepts either.
 */
export const insertUser = prepare('user-names.insertUser', (db, p: Placeholders<NamedUsersTable>) =>
  db
    .insertInto('users')
    .columns(namedColumns)
    .expression(
      db
        .selectNoFrom(selected(p, namedColumns))
        .where((eb) =>
          eb.not(
            eb.exists(
              db
                .selectFrom('users')
                .select('id')
                .where((other) =>
                  other.or([
                    other('normalized_email', '=', p.normalized_name),
                    other('normalized_name', '=', p.normalized_email),
                  ]),
                ),
            ),
          ),
        )
        .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_name))))
        .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_email))))
        .where((eb) => eb.not(eb.exists(held(db, p, 'held_skeleton', p.name_skeleton)))),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Finds an undo that holds the value for another user, at the time of the change. */
function held(
  db: Kysely<Database>,
  p: { readonly id: Expression<string>; readonly updated_at_ms: Expression<number> },
  column: 'held_name' | 'held_skeleton',
  value: Expression<string> | Expression<string | null>,
) {
  return db
    .selectFrom('confirmations')
    .select('confirmations.id')
    .where('confirmations.user_id', '<>', p.id)
    .where('confirmations.expires_at_ms', '>', p.updated_at_ms)
    .where(`confirmations.${column}`, '=', value as Expression<string>)
}

/** Finds another user with `value` in the column. */
function holder(
  db: Kysely<Database>,
  id: Expression<string>,
  column: 'normalized_name' | 'normalized_email' | 'name_skeleton',
  value: Expression<string> | Expression<string | null>,
) {
  return db
    .selectFrom('users as other')
    .select('other.id')
    .where('other.id', '<>', id)
    .where(`other.${column}`, '=', value as Expression<string>)
}

const holders = prepare('user-names.holders', (db, p: Placeholders<Names>, { sql }) =>
  db.selectNoFrom([
    holder(db, p.id, 'normalized_name', p.normalized_name).as('same_name'),
    holder(db, p.id, 'normalized_email', p.normalized_email).as('same_email'),
    holder(db, p.id, 'normalized_email', p.normalized_name).as('email_as_name'),
    holder(db, p.id, 'normalized_name', p.normalized_email).as('name_as_email'),
    holder(db, p.id, 'name_skeleton', p.name_skeleton).as('same_look'),
    held(db, p, 'held_name', p.normalized_name).limit(sql.lit(1)).as('name_held'),
    held(db, p, 'held_name', p.normalized_email).limit(sql.lit(1)).as('email_held'),
    held(db, p, 'held_skeleton', p.name_skeleton).limit(sql.lit(1)).as('look_held'),
  ]),
)
const conflicts = {
  same_name: 'name_taken',
  same_email: 'email_taken',
  email_as_name: 'name_taken',
  name_as_email: 'email_taken',
  same_look: 'name_confusable',
  name_held: 'name_taken',
  email_held: 'email_taken',
  look_held: 'name_confusable',
} as const

type Renaming = Placeholders<NamedUsersTable & Decided>
type Respelling = Placeholders<UsersTable & Decided>

function renaming(db: Kysely<Database>, p: Renaming) {
  return db
    .updateTable('users')
    .set(pick(p, namedColumns))
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on)
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'name_skeleton', p.name_skeleton))))
    .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(held(db, p, 'held_skeleton', p.name_skeleton))))
}
/** Keeps the skeleton unchanged if the new name has the same one, whether or not it is stored. */
function respelling(db: Kysely<Database>, p: Respelling) {
  return db
    .updateTable('users')
    .set(pick(p, columns.users))
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on)
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(held(db, p, 'held_name', p.normalized_email))))
}
const rename = prepare('user-names.rename', (db, p: Renaming) => renaming(db, p))
const respell = prepare('user-names.respell', (db, p: Respelling) => respelling(db, p))

/** Returns all reasons why the database would refuse the names for a new user. */
export async function conflictsOf(
  engine: Engine,
  { id = '', ...names }: Pick<User, 'name' | 'email' | 'sharesEmail'> & { readonly id?: string },
): Promise<NameConflict[]> {
  const { skeletonOf } = await import('../../users/skeleton.ts')
  const { name } = names
  const [normalized_name, normalized_email] = [normalizeName(name), emailKey({ ...names, id })]
  const [row] = await engine.read(
    // Without a time: an undo that ended holds its address until it is removed.
    holders({ id, normalized_name, normalized_email, name_skeleton: skeletonOf(name) || null, updated_at_ms: 0 }),
  )
  const found = (Object.keys(conflicts) as (keyof typeof conflicts)[]).filter((one) => typeof row?.[one] === 'string')
  return [...new Set(found.map((one) => conflicts[one]))]
}

/** Returns why the database refused a user's names; undefined if the conflict has disappeared meanwhile. */
export async function conflictOf(engine: Engine, names: Names): Promise<NameConflict | undefined> {
  const [row] = await engine.read(holders(names))
  const found = (Object.keys(conflicts) as (keyof typeof conflicts)[]).find((name) => typeof row?.[name] === 'string')
  return found && conflicts[found]
}

/** Returns the update of `user` to `next`, and the names that it needs to be free. */
export async function renameStatement(
  user: User,
  next: User,
): Promise<{ readonly statement: Statement; readonly names: Names }> {
  const [before, after] = await Promise.all([fromNewUser(user), fromNewUser(next)])
  const { name_skeleton: skeleton, ...row } = after
  const decided = { decided_on: user.version }
  if (skeleton !== before.name_skeleton) {
    return { statement: mustChange(rename({ ...after, ...decided })), names: after }
  }
  return { statement: mustChange(respell({ ...row, ...decided })), names: { ...row, name_skeleton: null } }
}
