/** The names of users: each name, address and look of a name belongs to one of them. */
import type { Expression, Kysely } from 'kysely'
import type { NameConflict } from '../../users/registration.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type Database, type NamedUsersTable, type UsersTable } from './tables.ts'
import { fromNewUser } from './user-row.ts'

/** What must be free. The id is that of the user who wants it. */
type Names = Pick<NamedUsersTable, 'id' | 'normalized_name' | 'normalized_email' | 'name_skeleton'>
type Decided = { decided_on: number }

const namedColumns = [...columns.users, 'name_skeleton'] as const

/** Not when the name is somebody's e-mail address, or the address somebody's name: a sign-in takes either. */
export const insertUser = prepare('user-names.insertUser', (db, p: Placeholders<NamedUsersTable>) =>
  db
    .insertInto('users')
    .columns(namedColumns)
    .expression(
      db.selectNoFrom(selected(p, namedColumns)).where((eb) =>
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
      ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Another user who has `value` in the column. */
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

const holders = prepare('user-names.holders', (db, p: Placeholders<Names>) =>
  db.selectNoFrom([
    holder(db, p.id, 'normalized_name', p.normalized_name).as('same_name'),
    holder(db, p.id, 'normalized_email', p.normalized_email).as('same_email'),
    holder(db, p.id, 'normalized_email', p.normalized_name).as('email_as_name'),
    holder(db, p.id, 'normalized_name', p.normalized_email).as('name_as_email'),
    holder(db, p.id, 'name_skeleton', p.name_skeleton).as('same_look'),
  ]),
)
const conflicts = {
  same_name: 'name_taken',
  same_email: 'email_taken',
  email_as_name: 'name_taken',
  name_as_email: 'email_taken',
  same_look: 'name_confusable',
} as const

const rename = prepare('user-names.rename', (db, p: Placeholders<NamedUsersTable & Decided>) =>
  db
    .updateTable('users')
    .set(pick(p, namedColumns))
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on)
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'name_skeleton', p.name_skeleton)))),
)
/** A name that looks as before keeps its place among those that look alike, be it the first or not. */
const respell = prepare('user-names.respell', (db, p: Placeholders<UsersTable & Decided>) =>
  db
    .updateTable('users')
    .set(pick(p, columns.users))
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on)
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_email))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_email', p.normalized_name))))
    .where((eb) => eb.not(eb.exists(holder(db, p.id, 'normalized_name', p.normalized_email)))),
)

/** Why the database refused the names of a user; undefined when what stood in the way has gone meanwhile. */
export async function conflictOf(engine: Engine, names: Names): Promise<NameConflict | undefined> {
  const [row] = await engine.read(holders(names))
  const found = (Object.keys(conflicts) as (keyof typeof conflicts)[]).find((name) => typeof row?.[name] === 'string')
  return found && conflicts[found]
}

/** The change of `user` to `next`, and what it needs to be free. */
export async function renameStatement(
  user: User,
  next: User,
): Promise<{ readonly statement: Statement; readonly names: Names }> {
  const [before, after] = await Promise.all([fromNewUser(user), fromNewUser(next)])
  const { name_skeleton: skeleton, ...row } = after
  const decided = { decided_on: user.version }
  if (skeleton !== before.name_skeleton)
    return { statement: mustChange(rename({ ...after, ...decided })), names: after }
  return { statement: mustChange(respell({ ...row, ...decided })), names: { ...row, name_skeleton: null } }
}
