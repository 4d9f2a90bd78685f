/**
 * Refresh tokens that end with the session in which they were granted: those without `offline_access` (OpenID Connect Core §11). Access tokens
 * stay valid until they expire (specification 4.4).
 *
 * A grant keeps the id of its session, which the browser's next sign-in as the same person replaces. So the end of a session
 * ends the person's grants of sessions that are gone, too, whichever browser they were in: an application asks for a code
 * again there, and gets it without a question while the browser is signed in. The statements follow the deletion of the session.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Grant } from '../../protocol/grant/grant.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

const offline = '%"offline_access"%'

// Includes grants of sessions that are gone: of which browser they were is not known any more.
const endIn = prepare(
  'sessionGrants.endIn',
  (db, p: Placeholders<{ user_id: string; session_id: string; refresh_expires_at_ms: number }>, { sql }) =>
    db
      .updateTable('grants')
      .set({ refresh_expires_at_ms: p.refresh_expires_at_ms })
      .where('user_id', '=', p.user_id)
      .where(({ or, and, not, eb, exists, selectFrom }) =>
        or([
          eb('session_id', '=', p.session_id),
          and([
            eb('session_id', 'is not', null),
            not(exists(selectFrom('sessions').select('sessions.id').whereRef('sessions.id', '=', 'grants.session_id'))),
          ]),
        ]),
      )
      .where('scopes', 'not like', sql.lit(offline))
      // Null where the grant has none.
      .where('refresh_expires_at_ms', '>', p.refresh_expires_at_ms),
)
const endElsewhere = prepare(
  'sessionGrants.endElsewhere',
  (db, p: Placeholders<{ user_id: string; session_id: string; refresh_expires_at_ms: number }>, { sql }) =>
    db
      .updateTable('grants')
      .set({ refresh_expires_at_ms: p.refresh_expires_at_ms })
      .where('user_id', '=', p.user_id)
      .where('session_id', '<>', p.session_id)
      .where('scopes', 'not like', sql.lit(offline))
      // Null where the grant has none.
      .where('refresh_expires_at_ms', '>', p.refresh_expires_at_ms),
)

/** Holds the session until the commit, so that its end is either seen here or sees the grant. */
const endLate = prepare(
  'sessionGrants.endLate',
  (db, p: Placeholders<{ id: string; session_id: string; refresh_expires_at_ms: number }>, { keepingRows }) =>
    db
      .updateTable('grants')
      .set({ refresh_expires_at_ms: p.refresh_expires_at_ms })
      .where('id', '=', p.id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(keepingRows(selectFrom('sessions').select('sessions.id').where('sessions.id', '=', p.session_id)))),
      ),
)

/** The end of a session is dated by its entry in the trail. */
const endedAtMs = (events: AuditEvents | undefined): number => events?.[0]?.atMs ?? 0

export function endGrantsIn(userId: string, sessionId: string, events: AuditEvents | undefined): Statement {
  return endIn({ user_id: userId, session_id: sessionId, refresh_expires_at_ms: endedAtMs(events) })
}

export function endGrantsElsewhere(userId: string, keptId: string, events: AuditEvents | undefined): Statement {
  return endElsewhere({ user_id: userId, session_id: keptId, refresh_expires_at_ms: endedAtMs(events) })
}

/** Returns statements that follow the insertion of a grant: its session may have ended since the code was issued. */
export function endGrantLate({ id, sessionId, refresh, scopes, createdAtMs }: Grant): Statement[] {
  if (sessionId === null || refresh === null || scopes.includes('offline_access')) return []
  return [endLate({ id, session_id: sessionId, refresh_expires_at_ms: createdAtMs })]
}
