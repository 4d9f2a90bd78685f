/** Sessions as rows, whole or in part. */
import type { JoinBuilder } from 'kysely'
import { methodsToText, textToMethods } from '../../protocol/claims/authentication-methods.ts'
import { consoleClientId } from '../../protocol/client/client.ts'
import type { RequestingSession, Session, SessionSpan } from '../../users/session.ts'
import type { Tools } from './prepared.ts'
import { columns, type Database, type Joined, type Prefixed, prefixed, type SessionsTable } from './tables.ts'

export type SessionRow = Prefixed<'s', SessionsTable>
export const sessionColumns = prefixed('sessions', 's', columns.sessions)

const requestingNames = [
  'id',
  'secret_hash',
  'user_id',
  'authenticated_at_ms',
  'method',
  'persistent',
  'created_at_ms',
  'expires_at_ms',
  'last_seen_at_ms',
] as const
export const requestingSessionColumns = prefixed('sessions', 's', requestingNames)
export type RequestingSessionRow = Prefixed<'s', Pick<SessionsTable, (typeof requestingNames)[number]>>

export function toRow(session: Session): SessionsTable {
  return {
    id: session.id,
    secret_hash: session.secretHash,
    user_id: session.userId,
    authenticated_at_ms: session.authenticatedAtMs,
    method: methodsToText(session.methods),
    persistent: Number(session.persistent),
    created_at_ms: session.createdAtMs,
    expires_at_ms: session.expiresAtMs,
    last_seen_at_ms: session.lastSeenAtMs,
    client_address: session.clientAddress,
    user_agent: session.userAgent,
  }
}

export function toSession(row: SessionRow): Session {
  return { ...toRequestingSession(row), clientAddress: row.s_client_address, userAgent: row.s_user_agent }
}

function toRequestingSession(row: RequestingSessionRow): RequestingSession['session'] {
  return {
    id: row.s_id,
    secretHash: row.s_secret_hash,
    userId: row.s_user_id,
    authenticatedAtMs: row.s_authenticated_at_ms,
    methods: textToMethods(row.s_method),
    persistent: row.s_persistent === 1,
    createdAtMs: row.s_created_at_ms,
    expiresAtMs: row.s_expires_at_ms,
    lastSeenAtMs: row.s_last_seen_at_ms,
  }
}

/** Returns the session of an outer-joined row, with the columns that an authorization request needs, if any. */
export function joinedRequestingSession(row: Joined<RequestingSessionRow>): RequestingSession['session'] | undefined {
  return row.s_id === null ? undefined : toRequestingSession(row as RequestingSessionRow)
}

/** The session that the tokens of a grant end with, where they end with one. */
const names = ['created_at_ms', 'expires_at_ms'] as const

export const sessionSpanColumns = prefixed('sessions', 's', names)
export type SessionSpanRow = Prefixed<'s', Pick<SessionsTable, (typeof names)[number]>>

/** Joins a session that did not end, after its grant and user, and none to grants that go on without theirs. */
export function sessionOfGrant(sql: Tools['sql']) {
  return (on: JoinBuilder<Database, 'grants' | 'users' | 'sessions'>) =>
    on
      .onRef('sessions.id', '=', 'grants.session_id')
      .on('grants.client_id', '=', sql.lit(consoleClientId))
      .on(sql<boolean>`sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1)`)
}

/** Returns the session of an outer-joined row, if any. */
export function joinedSpan(row: Joined<SessionSpanRow>): SessionSpan | undefined {
  const { s_created_at_ms: createdAtMs, s_expires_at_ms: expiresAtMs } = row
  return createdAtMs === null || expiresAtMs === null ? undefined : { createdAtMs, expiresAtMs }
}
