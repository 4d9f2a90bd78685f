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

const lockUnended = prepare(
  'sign-in-ways.lockUnended',
  (db, p: Placeholders<{ id: string; ended_ms: number }>, { sql }) =>
    db
      .updateTable('users')
      .set((is) => ({ version: is.ref('users.version') }))
      .where('id', '=', p.id)
      .where(sql<boolean>`coalesce(sessions_ended_at_ms, -1) = ${p.ended_ms}`),
)

/**
 * Comes first in a commit that adds or removes a way to sign in. The commit rolls back if there is no such person.
 * `endedAtMs`: the last end of the person's sessions that was read with the session; the commit rolls back as well if
 * they ended since. Undefined: whenever they ended.
 */
export function lockSignInWays(userId: string, endedAtMs?: number | null): Statement {
  if (endedAtMs === undefined) return mustChange(lock({ id: userId }))
  return mustChange(lockUnended({ id: userId, ended_ms: endedAtMs ?? -1 }))
}
