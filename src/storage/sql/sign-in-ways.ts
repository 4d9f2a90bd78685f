/** The ways a person can sign in: a password, external logins and passkeys. The last one is never removed. */
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

/** Changes nothing, but serialises changes of a person's ways to sign in until the commit. */
const lock = prepare('sign-in-ways.lock', (db, p: Placeholders<{ id: string }>) =>
  db
    .updateTable('users')
    .set((is) => ({ version: is.ref('users.version') }))
    .where('id', '=', p.id),
)

/** Comes first in a commit that adds or removes a way to sign in. The commit rolls back if there is no such person. */
export function lockSignInWays(userId: string): Statement {
  return mustChange(lock({ id: userId }))
}
