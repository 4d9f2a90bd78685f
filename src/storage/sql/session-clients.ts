/**
 * The clients that a session signed in to, as far as they registered a logout address. A row whose session no longer
 * exists stands for a client that has to be told; the commit that deletes a session queues its notices. The sweeper does
 * the same for sessions that ended in another way, for example by a process of the previous version.
 */
import type { ExpressionBuilder, Sql } from 'kysely'
import type { Grant } from '../../protocol/grant/grant.ts'
import { maxSessionClients } from '../../users/session.ts'
import { type Placeholders, prepare, selected } from './prepared.ts'
import type { Statement } from './statement.ts'
import type { Database, SessionClientsTable } from './tables.ts'

/**
 * Holds the session until the commit, so that its end is either seen here or sees this row. Changes nothing if the
 * session has ended.
 */
const join = prepare(
  'session-clients.join',
  (db, p: Placeholders<Omit<SessionClientsTable, 'user_id'>>, { sql, keepingRows }) =>
    db
      .insertInto('session_clients')
      .columns(['session_id', 'client_id', 'sid', 'user_id'])
      .expression((eb) =>
        keepingRows(
          eb
            .selectFrom('sessions')
            .select([...selected(p, ['session_id', 'client_id', 'sid']), 'sessions.user_id'])
            .where('sessions.id', '=', p.session_id)
            .where(
              sql<boolean>`(select count(*) from session_clients where session_clients.session_id = ${p.session_id}) < ${sql.lit(maxSessionClients)}`,
            ),
        ),
      )
      .onConflict((conflict) => conflict.doNothing()),
)
type Late = { id: string; client_id: string; user_id: string; sid: string; session_id: string }

/** Queues a notice if the session has ended already: between the authorization and the redemption of its code. */
const tellLate = prepare('session-clients.tellLate', (db, p: Placeholders<Late>, { sql }) =>
  db
    .insertInto('logout_notices')
    .columns([...queuedColumns])
    .expression((eb) =>
      eb
        .selectFrom('clients')
        .select([
          p.id.as('id'),
          p.client_id.as('client_id'),
          p.user_id.as('user_id'),
          p.sid.as('sid'),
          sql.lit(0).as('attempts'),
          sql.lit(0).as('due_at_ms'),
        ])
        .where('clients.id', '=', p.client_id)
        .where('clients.metadata', 'like', sql.lit(isTold))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('sessions').select('id').where('id', '=', p.session_id))),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** The metadata has only members that are registered. A quotation mark within a value has a backslash before it. */
const forgottenAtOnce = 1000
const isTold = '%"backchannel_logout_uri":"%'
const queuedColumns = ['id', 'client_id', 'user_id', 'sid', 'attempts', 'due_at_ms'] as const

/** Whether the session of a row in `session_clients` no longer exists. */
const hasEnded = (sql: Sql) =>
  sql<boolean>`not exists (select 1 from sessions where sessions.id = session_clients.session_id)`

/** The notices about sessions that have ended. */
const endings = (eb: ExpressionBuilder<Database, 'logout_notices'>, sql: Sql) =>
  eb
    .selectFrom('session_clients')
    .innerJoin('clients', 'clients.id', 'session_clients.client_id')
    .select([
      sql<string>`session_clients.sid || '.' || session_clients.client_id`.as('id'),
      'session_clients.client_id',
      'session_clients.user_id',
      'session_clients.sid',
      sql.lit(0).as('attempts'),
      sql.lit(0).as('due_at_ms'),
    ])
    .where('clients.metadata', 'like', sql.lit(isTold))
    .where(hasEnded(sql))

const queueOfUser = prepare('session-clients.queueOfUser', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .insertInto('logout_notices')
    .columns([...queuedColumns])
    .expression((eb) => endings(eb, sql).where('session_clients.user_id', '=', p.user_id))
    .onConflict((conflict) => conflict.doNothing()),
)
const forgetOfUser = prepare('session-clients.forgetOfUser', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db.deleteFrom('session_clients').where('user_id', '=', p.user_id).where(hasEnded(sql)),
)
const queueOfSessions = prepare(
  'session-clients.queueOfSessions',
  (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
    db
      .insertInto('logout_notices')
      .columns([...queuedColumns])
      .expression((eb) => endings(eb, sql).where(isOneOf('session_clients.session_id', p.ids)))
      .onConflict((conflict) => conflict.doNothing()),
)
const forgetOfSessions = prepare(
  'session-clients.forgetOfSessions',
  (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
    db.deleteFrom('session_clients').where(isOneOf('session_id', p.ids)).where(hasEnded(sql)),
)
const move = prepare('session-clients.move', (db, p: Placeholders<{ session_id: string; next_id: string }>) =>
  db.updateTable('session_clients').set({ session_id: p.next_id }).where('session_id', '=', p.session_id),
)
const forgetExpired = prepare(
  'session-clients.forgetExpired',
  (db, p: Placeholders<{ ids: string; now_ms: number }>, { isOneOf }) =>
    db
      .deleteFrom('session_clients')
      .where(isOneOf('session_id', p.ids))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.id', '=', 'session_clients.session_id')
            .where('sessions.expires_at_ms', '<=', p.now_ms),
        ),
      ),
)
const forgetOfClient = prepare(
  'session-clients.forgetOfClient',
  (db, p: Placeholders<{ client_id: string }>, { sql }) =>
    db
      .deleteFrom('session_clients')
      .where('client_id', '=', p.client_id)
      .where(
        'session_id',
        'in',
        db
          .selectFrom('session_clients')
          .select('session_id')
          .where('client_id', '=', p.client_id)
          .limit(sql.lit(forgottenAtOnce)),
      ),
)
const dropOfClient = prepare('session-clients.dropOfClient', (db, p: Placeholders<{ client_id: string }>) =>
  db.deleteFrom('logout_notices').where('client_id', '=', p.client_id),
)

/**
 * Returns statements of the commit that redeems a code: the client is told when the session ends. `sid` null: it is not.
 */
export function joinSession({ sessionId, clientId, userId }: Grant, sid: string | null): Statement[] {
  if (sid === null || sessionId === null) return []
  const row = { session_id: sessionId, client_id: clientId, sid }
  return [join(row), tellLate({ ...row, id: `${sid}.${clientId}`, user_id: userId })]
}

/** Returns statements that follow the deletion of sessions of the user in the same commit. */
export function tellClients(userId: string): Statement[] {
  return [queueOfUser({ user_id: userId }), forgetOfUser({ user_id: userId })]
}

/** The same for sessions of any users, with the two statements apart. `sessionIds`: a JSON array. */
export const tellClientsOf = (sessionIds: string): Statement => queueOfSessions({ ids: sessionIds })
export const forgetClientsOf = (sessionIds: string): Statement => forgetOfSessions({ ids: sessionIds })

/** The session goes on as another one. */
export function moveClients(sessionId: string, nextId: string): Statement {
  return move({ session_id: sessionId, next_id: nextId })
}

/** Comes before the deletion of expired sessions, of which no client is told. */
export function forgetExpiredClients(sessionIds: string, nowMs: number): Statement {
  return forgetExpired({ ids: sessionIds, now_ms: nowMs })
}

/** Returns statements that forget sessions of a deleted client, `forgottenAtOnce` or a few more, because its id may be reused. */
export function forgetClientIn(clientId: string): Statement[] {
  return [forgetOfClient({ client_id: clientId }), dropOfClient({ client_id: clientId })]
}
