/** Deletes accounts with everything that is stored about a person but the audit trail. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { endBegun } from './begun.ts'
import { forgetConsentsOfUser } from './forgotten-consents.ts'
import { forgetMarks } from './import-origins.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { tellClients } from './session-clients.ts'
import type { Statement } from './statement.ts'
import { toUser, userColumns } from './user-row.ts'

/** Accounts read at once. */
const dueAtOnce = 100

const due = prepare('deletions.due', (db, p: Placeholders<{ now_ms: number }>, { sql }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('deletion_due_at_ms', '<=', p.now_ms)
    .orderBy('deletion_due_at_ms')
    .limit(sql.lit(dueAtOnce)),
)
const deleteSessions = prepare('deletions.sessions', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('sessions').where('user_id', '=', p.id),
)
const deleteConfirmations = prepare('deletions.confirmations', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('confirmations').where('user_id', '=', p.id),
)
const deleteMails = prepare('deletions.mails', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('mails').where('user_id', '=', p.id),
)
const deleteUser = prepare('deletions.user', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('users').where('id', '=', p.id),
)
const deleteDue = prepare('deletions.dueUser', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db.deleteFrom('users').where('id', '=', p.id).where('deletion_due_at_ms', '<=', p.now_ms),
)

/** Accounts whose owners asked for their deletion (`User.deletionDueAtMs`). */
export function sqlDeletions(engine: Engine) {
  return {
    /** Returns at most a hundred of the accounts that are due, those first that have been due longest. */
    due: async (nowMs: number): Promise<User[]> => (await engine.read(due({ now_ms: nowMs }))).map(toUser),
    /**
     * Deletes the account with everything that depends on it, if it is still due. Returns false if it was cancelled or
     * deleted meanwhile.
     */
    async delete(userId: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit(deletionOf(userId, deleteDue({ id: userId, now_ms: nowMs })), events)).applied
    },
  }
}

/**
 * Returns the commit that deletes a user. External logins, passkeys, memberships and consents are deleted by cascade; requests of devices
 * expire within minutes. Grants name the user by the id alone and stay until they expire: a client learns from them that
 * its token is no longer valid (specification 4.2 rule 2). `user`: the statement that deletes the row itself; it must change one.
 */
export function deletionOf(id: string, user: Statement = deleteUser({ id })): Statement[] {
  return [
    deleteSessions({ id }),
    ...tellClients(id),
    forgetBrowsers(id),
    deleteConfirmations({ id }),
    ...endBegun(id),
    deleteMails({ id }),
    forgetConsentsOfUser(id),
    forgetMarks({ id, kind: 'person' }),
    mustChange(user),
  ]
}
