/** What ends with a user's sessions or address. */
import type { User } from '../../users/user.ts'
import { endBegun } from './begun.ts'
import { replacedPassword } from './imported-passwords.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { tellClients } from './session-clients.ts'
import type { Statement } from './statement.ts'

/** What was sent by mail to prove something of the account as it was before. */
const deletePending = prepare('user-ends.deletePending', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .deleteFrom('confirmations')
    .where('user_id', '=', p.id)
    .where('purpose', 'in', [sql.lit('email'), sql.lit('reset'), sql.lit('signin')]),
)
const deleteConfirmations = prepare('user-ends.deleteConfirmations', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('confirmations').where('user_id', '=', p.id),
)
const deleteSessions = prepare('user-ends.deleteSessions', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('sessions').where('user_id', '=', p.id),
)

/** Deletes existing sessions, independently of clock differences between machines, if their end is new. */
export function endStatements({ id, sessionsEndedAtMs, passwordHash }: User, next: User): Statement[] {
  if (next.sessionsEndedAtMs === sessionsEndedAtMs) return []
  // Every other password ends sessions; one that is hashed anew does not.
  const replaced = next.passwordHash === passwordHash ? [] : [replacedPassword({ user_id: id })]
  return [deleteSessions({ id }), forgetBrowsers(id), ...tellClients(id), endPending(id), ...endBegun(id), ...replaced]
}

/** An operator's address is final: nothing that was mailed before changes it. */
export function addressStatements({ id, email }: User, next: User): Statement[] {
  return next.email === email ? [] : [deleteConfirmations({ id })]
}

export function endPending(id: string): Statement {
  return deletePending({ id })
}
