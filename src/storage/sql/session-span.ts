/** The session that the tokens of a grant end with, where they end with one. */
import type { JoinBuilder } from 'kysely'
import { consoleClientId } from '../../protocol/client/console-client.ts'
import type { SessionSpan } from '../../users/session.ts'
import type { Tools } from './prepared.ts'
import { type Database, type Joined, type Prefixed, prefixed, type SessionsTable } from './tables.ts'

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
