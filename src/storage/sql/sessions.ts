/** Sessions in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import { maxSessions, type Session, type StoredSession } from '../../users/session.ts'
import type { Engine } from '../engine.ts'
import type { SessionClient } from '../port/clients.ts'
import { endBegunAtSignOut, endBegunElsewhere, endBegunIn, endOrphaned, moveBegun } from './begun.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { joinedClient } from './clients.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { moveClients, tellClients } from './session-clients.ts'
import { endGrantsElsewhere, endGrantsIn } from './session-grants.ts'
import { sessionColumns, toRow, toSession } from './session-row.ts'
import type { Statement } from './statement.ts'
import { columns, type Joined, type SessionsTable } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

// Finds no session of a deleted user.
const withUser = prepare(
  'sessions.withUser',
  (db, p: Placeholders<{ id: string }>) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([...sessionColumns, ...userColumns])
      .where('sessions.id', '=', p.id),
  { id: 'text' },
)
/** One row for each client, and one row of a session without any. */
const withClients = prepare('sessions.withClients', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('session_clients', 'session_clients.session_id', 'sessions.id')
    .leftJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'session_clients.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .select([...sessionColumns, ...userColumns, ...clientColumns, 'session_clients.sid as sid'])
    .where('sessions.id', '=', p.id),
)
const insert = prepare('sessions.insert', (db, p: Placeholders<SessionsTable>) =>
  db.insertInto('sessions').values(pick(p, columns.sessions)),
)
type InsertAt = SessionsTable & { user_version: number; fewer_than: number }

/**
 * Locks the user at that version until the commit, so that a concurrent password change or lock sees the session and
 * ends it.
 */
const insertAt = prepare('sessions.insertAt', (db, p: Placeholders<InsertAt>, { sql, keepingRows }) =>
  db
    .insertInto('sessions')
    .columns(columns.sessions)
    .expression((eb) =>
      keepingRows(
        eb
          .selectFrom('users')
          .select(selected(p, columns.sessions))
          .where('users.id', '=', p.user_id)
          .where('users.version', '=', p.user_version)
          .where(sql<boolean>`(select count(*) from sessions where sessions.user_id = ${p.user_id}) < ${p.fewer_than}`),
      ),
    ),
)
/** Changes nothing, but serialises the user's sign-ins until the commit. */
export const lockUser = prepare('sessions.lockUser', (db, p: Placeholders<{ user_id: string; user_version: number }>) =>
  db
    .updateTable('users')
    .set({ version: p.user_version })
    .where('id', '=', p.user_id)
    .where('version', '=', p.user_version),
)
const removeSurplus = prepare('sessions.removeSurplus', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', p.user_id)
    .where(
      'id',
      'not in',
      db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', p.user_id)
        .orderBy('last_seen_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(sql.lit(maxSessions - 1)),
    ),
)
const renewSession = prepare(
  'sessions.renewSession',
  (db, p: Placeholders<{ id: string; expires_at_ms: number; last_seen_at_ms: number }>) =>
    db
      .updateTable('sessions')
      .set(pick(p, ['expires_at_ms', 'last_seen_at_ms']))
      .where('id', '=', p.id),
)
const deleteSession = prepare('sessions.deleteSession', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('sessions').where('id', '=', p.id),
)

const ofUser = prepare('sessions.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('sessions').select(sessionColumns).where('user_id', '=', p.user_id),
)
const deleteOthers = prepare('sessions.deleteOthers', (db, p: Placeholders<{ user_id: string; kept_id: string }>) =>
  db.deleteFrom('sessions').where('user_id', '=', p.user_id).where('id', '<>', p.kept_id),
)

export function sqlSessions(engine: Engine) {
  return {
    /** Returns the session with its user, whatever their state: whether it is alive is decided by a rule. */
    async find(id: string): Promise<StoredSession | undefined> {
      const [row] = await engine.read(withUser({ id }))
      return row && { session: toSession(row), user: toUser(row) }
    },
    /** Returns the sessions of a user, ascending by id, whatever their state. */
    async ofUser(userId: string): Promise<Session[]> {
      const rows = await engine.read(ofUser({ user_id: userId }))
      return rows.map(toSession).sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    /** Extends the expiry. Does nothing if the session was deleted. */
    async renew(id: string, expiresAtMs: number, lastSeenAtMs: number): Promise<void> {
      await engine.commit([renewSession({ id, expires_at_ms: expiresAtMs, last_seen_at_ms: lastSeenAtMs })])
    },
    /** Deletes a session that no client was told of yet, what was begun in it but what was handed out, and its grants (`session-grants.ts`). */
    async delete({ id, userId }: Pick<Session, 'id' | 'userId'>, events?: AuditEvents): Promise<void> {
      const grants = endGrantsIn(userId, id, events)
      await engine.commit([deleteSession({ id }), endBegunAtSignOut(userId, id), grants], events)
    },
    /** Like `find`, with the clients that registered a logout address and signed in in the session, in one round trip. */
    async findToEnd(id: string): Promise<(StoredSession & { readonly clients: readonly SessionClient[] }) | undefined> {
      const rows = await engine.read(withClients({ id }))
      const [row] = rows
      if (row === undefined) return undefined
      const clients = rows.flatMap((each) => {
        const client = joinedClient(each as Joined<ClientRow>)
        return client === undefined || each.sid === null ? [] : [{ client, sid: each.sid }]
      })
      return { session: toSession(row), user: toUser(row), clients }
    },
    /**
     * Deletes the session with what was begun in it (`Confirmation.begunBy`), ends its grants (`session-grants.ts`), and queues a notice to each of its clients that
     * has a back-channel logout address. `isSignOut`: the person signs out, and what was handed out stays.
     */
    async end(
      { id, userId }: Pick<Session, 'id' | 'userId'>,
      events?: AuditEvents,
      { isSignOut = false }: { readonly isSignOut?: boolean } = {},
    ): Promise<void> {
      const begun = isSignOut ? [endBegunAtSignOut(userId, id)] : endBegunIn(userId, id)
      const grants = endGrantsIn(userId, id, events)
      await engine.commit([deleteSession({ id }), ...begun, grants, ...tellClients(userId)], events)
    },
    /** Ends all sessions of the user but one with what was begun in them and their grants, and tells their clients. Returns how many. */
    async endOthers(userId: string, keptId: string, events?: AuditEvents): Promise<number> {
      const others = deleteOthers({ user_id: userId, kept_id: keptId })
      const { changes } = await engine.commit(
        [
          ...[others, ...endBegunElsewhere(userId, keptId), endGrantsElsewhere(userId, keptId, events)],
          ...tellClients(userId),
        ],
        events,
      )
      return changes[0] ?? 0
    },
    /**
     * Deletes the session because the same browser signed in again as `next`. Its clients, and what was begun in it, belong
     * to `next` if the user is the same; otherwise it ends as by a sign-out.
     */
    async replace(
      { id, userId }: Pick<Session, 'id' | 'userId'>,
      next: Pick<Session, 'id' | 'userId'>,
      events?: AuditEvents,
    ): Promise<void> {
      const [begun, clients] =
        userId === next.userId
          ? [moveBegun(userId, id, next.id), [moveClients(id, next.id)]]
          : [[endBegunAtSignOut(userId, id), endGrantsIn(userId, id, events)], tellClients(userId)]
      await engine.commit([deleteSession({ id }), ...begun, ...clients], events)
    },
  }
}

export function insertSession(session: Session): Statement {
  return insert(toRow(session))
}

/** From this number of sessions on, a user's sign-ins are serialised, so that the maximum is never exceeded. */
export const manySessions = 20

/**
 * Stores the session on two conditions: its user is still at that version, and has fewer sessions than the maximum.
 * `sessions`: their number; undefined: fewer than `manySessions`. `ended`: how many of them to end. `isLocked`: an
 * earlier statement of the commit updates the user. If a condition no longer holds, the commit rolls back.
 *
 * Below `manySessions` this is a single statement. It does not see concurrent sign-ins, but the margin up to the
 * maximum exceeds what the processes of a service can store at once.
 */
export function storeSession(
  session: Session,
  userVersion: number,
  {
    sessions,
    ended = 0,
    isLocked,
  }: { readonly sessions?: number; readonly ended?: number; readonly isLocked: boolean },
): Statement[] {
  const user = { user_id: session.userId, user_version: userVersion }
  const insertWhile = (fewerThan: number) => mustChange(insertAt({ ...toRow(session), ...user, fewer_than: fewerThan }))
  if (sessions === undefined && !isLocked) return [insertWhile(manySessions)]
  return [
    ...(isLocked ? [] : [mustChange(lockUser(user))]),
    ...(ended === 0
      ? []
      : [
          mustChange(removeSurplus({ user_id: user.user_id })),
          endOrphaned(user.user_id),
          ...tellClients(user.user_id),
        ]),
    insertWhile(maxSessions),
  ]
}
