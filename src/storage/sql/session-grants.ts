/**
 * Refresh tokens that end with the session in which they were granted: those without `offline_access` (OpenID Connect Core §11). Access tokens
 * stay valid until they expire (specification 4.4).
 */
import type { AuditEvents } from '../../audit/entry.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

const offline = '%"offline_access"%'

const endIn = prepare(
  'sessionGrants.endIn',
  (db, p: Placeholders<{ user_id: string; session_id: string; refresh_expires_at_ms: number }>, { sql }) =>
    db
      .updateTable('grants')
      .set({ refresh_expires_at_ms: p.refresh_expires_at_ms })
      .where('user_id', '=', p.user_id)
      .where('session_id', '=', p.session_id)
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

/** The end of a session is dated by its entry in the trail. */
const endedAtMs = (events: AuditEvents | undefined): number => events?.[0]?.atMs ?? 0

export function endGrantsIn(userId: string, sessionId: string, events: AuditEvents | undefined): Statement {
  return endIn({ user_id: userId, session_id: sessionId, refresh_expires_at_ms: endedAtMs(events) })
}

export function endGrantsElsewhere(userId: string, keptId: string, events: AuditEvents | undefined): Statement {
  return endElsewhere({ user_id: userId, session_id: keptId, refresh_expires_at_ms: endedAtMs(events) })
}
