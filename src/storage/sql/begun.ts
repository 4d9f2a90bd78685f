/**
 * What was begun in a session: confirmations that wait for a code or link, and approved devices without tokens yet. It ends
 * with the session, or with all sessions of the user.
 *
 * The statements follow the deletion of the session in its commit: what holds the session meanwhile is stored by then, and seen.
 */
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

type Begun = { user_id: string; session_id: string }

const ofSession = prepare('begun.ofSession', (db, p: Placeholders<Begun>) =>
  db.deleteFrom('confirmations').where('begun_by', '=', p.user_id).where('session_id', '=', p.session_id),
)
const ofSignOut = prepare('begun.ofSignOut', (db, p: Placeholders<Begun>, { sql }) =>
  db
    .deleteFrom('confirmations')
    .where('begun_by', '=', p.user_id)
    .where('session_id', '=', p.session_id)
    .where('purpose', 'not in', [sql.lit('invite'), sql.lit('reset')]),
)
const ofOthers = prepare('begun.ofOthers', (db, p: Placeholders<Begun>) =>
  db.deleteFrom('confirmations').where('begun_by', '=', p.user_id).where('session_id', '<>', p.session_id),
)
const ofUser = prepare('begun.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('confirmations').where('begun_by', '=', p.user_id),
)
const orphaned = prepare('begun.orphaned', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .deleteFrom('confirmations')
    .where('begun_by', '=', p.user_id)
    .where('session_id', 'is not', null)
    .where('purpose', 'not in', [sql.lit('invite'), sql.lit('reset')])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('sessions').select('sessions.id').whereRef('sessions.id', '=', 'confirmations.session_id')),
      ),
    ),
)
const move = prepare('begun.move', (db, p: Placeholders<Begun & { next_id: string }>) =>
  db
    .updateTable('confirmations')
    .set({ session_id: p.next_id })
    .where('begun_by', '=', p.user_id)
    .where('session_id', '=', p.session_id),
)

/** A device that was let in, and is denied now. One that has its tokens has a grant, which decides. */
const denied = {
  answer: 'denied',
  user_id: null,
  authorization_id: null,
  session_id: null,
  authenticated_at_ms: null,
  method: null,
  answered_at_ms: null,
} as const
const denyOfSession = prepare('begun.denyOfSession', (db, p: Placeholders<Begun>, { sql }) =>
  db
    .updateTable('device_codes')
    .set({ ...denied, answer: sql.lit(denied.answer) })
    .where('user_id', '=', p.user_id)
    .where('session_id', '=', p.session_id),
)
const denyOfOthers = prepare('begun.denyOfOthers', (db, p: Placeholders<Begun>, { sql }) =>
  db
    .updateTable('device_codes')
    .set({ ...denied, answer: sql.lit(denied.answer) })
    .where('user_id', '=', p.user_id)
    .where('session_id', '<>', p.session_id),
)
const denyOfUser = prepare('begun.denyOfUser', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .updateTable('device_codes')
    .set({ ...denied, answer: sql.lit(denied.answer) })
    .where('user_id', '=', p.user_id),
)
const moveDevices = prepare('begun.moveDevices', (db, p: Placeholders<Begun & { next_id: string }>) =>
  db
    .updateTable('device_codes')
    .set({ session_id: p.next_id })
    .where('user_id', '=', p.user_id)
    .where('session_id', '=', p.session_id),
)

/** Somebody ended the session from elsewhere: it may have been a stranger's. */
export function endBegunIn(userId: string, sessionId: string): Statement[] {
  const begun = { user_id: userId, session_id: sessionId }
  return [ofSession(begun), denyOfSession(begun)]
}

/**
 * The person signs out. Invitations stay valid for their week, and links for a new password that an operator made for their
 * day. So do approved devices: the next poll of one may be seconds away.
 */
export function endBegunAtSignOut(userId: string, sessionId: string): Statement {
  return ofSignOut({ user_id: userId, session_id: sessionId })
}

export function endBegunElsewhere(userId: string, keptId: string): Statement[] {
  const kept = { user_id: userId, session_id: keptId }
  return [ofOthers(kept), denyOfOthers(kept)]
}

/** With all sessions, such as by a new password. */
export function endBegun(userId: string): Statement[] {
  return [ofUser({ user_id: userId }), denyOfUser({ user_id: userId })]
}

/** Follows the end of sessions that gave way to others. */
export function endOrphaned(userId: string): Statement {
  return orphaned({ user_id: userId })
}

/** The same browser signed in again as the same person. */
export function moveBegun(userId: string, sessionId: string, nextId: string): Statement[] {
  const begun = { user_id: userId, session_id: sessionId, next_id: nextId }
  return [move(begun), moveDevices(begun)]
}
