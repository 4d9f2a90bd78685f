/** Stored consents, and the facts for authorization requests. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Engine } from '../engine.ts'
import type { AuthorizeFacts } from '../port/grants.ts'
import { type AuthorizationRow, authorizationColumns, scopeSet, toAuthorization, toRow } from './authorization-row.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { joinedClient } from './clients.ts'
import { type CatalogueRow, catalogueVersion } from './memberships.ts'
import { consentOfOperator, takeOver, takeOverSet } from './operator-consents.ts'
import { mustChange, type Placeholders, prepare, selected } from './prepared.ts'
import { completePushed } from './pushed-requests.ts'
import { type ScopeRow, scopeColumns, toScope } from './scopes.ts'
import { joinedRequestingSession, type RequestingSessionRow, requestingSessionColumns } from './session-row.ts'
import type { Statement } from './statement.ts'
import { type AuthorizationsTable, columns, type Joined, listToText } from './tables.ts'
import { joinedRequestingUser, type RequestingUserRow, requestingUserColumns } from './user-row.ts'

/** One row per registered scope, at least one; all other columns are the same in each. */
type AuthorizeRow = Joined<ClientRow & ScopeRow & RequestingSessionRow & RequestingUserRow & AuthorizationRow> &
  CatalogueRow

const forRequest = prepare(
  'authorizations.forRequest',
  (
    db,
    p: Placeholders<{ client_id: string; scopes: string; scope_set: string; session_id: string | null }>,
    { sql, isOneOf },
  ) =>
    db
      .selectFrom(sql`(select 1 as one)`.as('request'))
      .leftJoin('clients', (on) => on.on('clients.id', '=', p.client_id).on('clients.deleted', '=', sql.lit(0)))
      .leftJoin('sessions', (on) => on.on('sessions.id', '=', p.session_id))
      .leftJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('authorizations', (on) =>
        on
          .onRef('authorizations.user_id', '=', 'users.id')
          .onRef('authorizations.client_id', '=', 'clients.id')
          .on('authorizations.scope_set', '=', p.scope_set),
      )
      .leftJoin('scopes', (on) => on.on(isOneOf('scopes.name', p.scopes)))
      .select([
        ...clientColumns,
        ...requestingSessionColumns,
        ...requestingUserColumns,
        ...authorizationColumns,
        ...scopeColumns,
      ])
      .select(catalogueVersion),
  { client_id: 'text', scopes: 'text', scope_set: 'text', session_id: 'text' },
)
const standing = prepare(
  'authorizations.standing',
  (db, p: Placeholders<{ user_id: string; client_id: string; scope_set: string }>) =>
    db
      .selectFrom('authorizations')
      .select(authorizationColumns)
      .where('user_id', '=', p.user_id)
      .where('client_id', '=', p.client_id)
      .where('scope_set', '=', p.scope_set),
)
const ofUser = prepare('authorizations.ofUser', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .selectFrom('authorizations')
    .innerJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'authorizations.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .select(authorizationColumns)
    .where('authorizations.user_id', '=', p.user_id)
    .orderBy('authorizations.created_at_ms')
    .orderBy('authorizations.id'),
)
/** Inserts nothing if the user or client was deleted. */
const insertAuthorization = prepare(
  'authorizations.insertAuthorization',
  (db, p: Placeholders<AuthorizationsTable>, { sql }) =>
    db
      .insertInto('authorizations')
      .columns(columns.authorizations)
      .expression(
        db
          .selectNoFrom(selected(p, columns.authorizations))
          .where(({ exists, selectFrom }) => exists(selectFrom('users').select('id').where('id', '=', p.user_id)))
          .where(({ exists, selectFrom }) =>
            exists(selectFrom('clients').select('id').where('id', '=', p.client_id).where('deleted', '=', sql.lit(0))),
          ),
      )
      .onConflict((conflict) => conflict.doNothing()),
)
const parties = prepare(
  'authorizations.parties',
  (db, p: Placeholders<{ user_id: string; client_id: string }>, { sql }) =>
    db
      .selectFrom('users')
      .innerJoin('clients', (on) => on.on('clients.id', '=', p.client_id).on('clients.deleted', '=', sql.lit(0)))
      .select('users.id')
      .where('users.id', '=', p.user_id),
)
type Agreement = { id: string; claims: string; was_claims: string | null }
const agreeToMore = prepare('authorizations.agreeToMore', (db, p: Placeholders<Agreement>) =>
  db
    .updateTable('authorizations')
    .set({ claims: p.claims })
    .where('id', '=', p.id)
    .where('claims', 'is not distinct from', p.was_claims),
)
const deleteAuthorization = prepare('authorizations.deleteAuthorization', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('authorizations').where('id', '=', p.id),
)

export function sqlAuthorizations(engine: Engine) {
  return {
    /** `sessionId` null: the request has no session cookie. */
    async findForRequest({
      clientId,
      scopes,
      sessionId,
    }: {
      readonly clientId: string
      readonly scopes: readonly string[]
      readonly sessionId: string | null
    }): Promise<AuthorizeFacts> {
      const rows = await engine.read(
        forRequest({
          client_id: clientId,
          scopes: listToText(scopes),
          scope_set: scopeSet(scopes),
          session_id: sessionId,
        }),
      )
      return toFacts(rows as AuthorizeRow[])
    },
    /**
     * Stores a consent. Resolves to the stored one for this user, client and scope set, whether new or existing. An existing
     * one then covers what the scopes hand over now. 'gone':
     * the user or client was deleted meanwhile. `completing`: the pushed request that the same commit completes;
     * 'completed': it was completed before, and nothing was stored.
     */
    async store(
      authorization: Authorization,
      events?: AuditEvents,
      completing?: { readonly pushedRequestId: string; readonly nowMs: number },
    ): Promise<Authorization | 'gone' | 'completed'> {
      const row = toRow(authorization)
      const completion = completing
        ? [mustChange(completePushed({ id: completing.pushedRequestId, completed_at_ms: completing.nowMs }))]
        : []
      for (;;) {
        const { applied, changes } = await engine.commit([mustChange(insertAuthorization(row)), ...completion], events)
        if (applied) return authorization
        // The consent could have been stored.
        if (changes.length > 0) return 'completed'
        const [earlier] = await engine.read(standing(row))
        if (earlier) {
          const before = toAuthorization(earlier)
          const claims = [...new Set([...(before.claims ?? []), ...(authorization.claims ?? [])])].sort()
          const isTakenOver = authorization.byOperator === true && before.byOperator !== true
          const taking = isTakenOver ? [mustChange(takeOver({ id: before.id }))] : []
          const now = { ...before, ...(isTakenOver && { byOperator: true as const }) }
          if (claims.length === (before.claims ?? []).length) {
            const rest = [...taking, ...completion]
            const isDone = rest.length === 0 || (await engine.commit(rest, isTakenOver ? events : undefined)).applied
            if (!isDone && isTakenOver) continue
            return isDone ? now : 'completed'
          }
          const agreed = agreeToMore({ id: before.id, claims: listToText(claims), was_claims: earlier.a_claims })
          const extended = await engine.commit([mustChange(agreed), ...taking, ...completion], events)
          if (extended.applied) return { ...now, claims }
          if (extended.changes.length > 0) return 'completed'
          continue
        }
        if ((await engine.read(parties(row))).length === 0) return 'gone'
      }
    },
    /**
     * Returns the oldest consent that an operator stored for these scopes or more; undefined: there is none. For clients that nobody
     * but an operator gives anybody to.
     */
    findByOperator: (userId: string, clientId: string, scopes: readonly string[]): Promise<Authorization | undefined> =>
      consentOfOperator(engine, userId, clientId, scopes),
    /** Oldest first. */
    async list(userId: string): Promise<Authorization[]> {
      return (await engine.read(ofUser({ user_id: userId }))).map(toAuthorization)
    },
    /** Deletes the consent, which invalidates the grants based on it. Returns false if there was none. */
    async revoke(id: string, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(deleteAuthorization({ id }))], events)).applied
    },
  }
}

function toFacts(rows: readonly AuthorizeRow[]): AuthorizeFacts {
  const [first] = rows
  if (!first)
    return { client: undefined, scopes: [], signedIn: undefined, authorization: undefined, catalogueVersion: 0 }
  const session = joinedRequestingSession(first)
  const user = joinedRequestingUser(first)
  return {
    client: joinedClient(first),
    scopes: first.sc_name === null ? [] : rows.map((row) => toScope(row as ScopeRow)),
    signedIn: session && user && { session, user },
    authorization: first.a_id === null ? undefined : toAuthorization(first as AuthorizationRow),
    catalogueVersion: first.catalogue_version ?? 0,
  }
}

/** Returns what stores a consent with the person in an import; one of the same scopes that is there becomes one of the operator. */
export function importedConsent(authorization: Authorization): Statement[] {
  const row = toRow(authorization)
  const { user_id, client_id, scope_set } = row
  return [insertAuthorization(row), ...(row.by_operator === 1 ? [takeOverSet({ user_id, client_id, scope_set })] : [])]
}
