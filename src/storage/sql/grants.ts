/** Grants and their refresh chains. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Grant, RefreshChain } from '../../protocol/grant/grant.ts'
import type { Committed, Engine } from '../engine.ts'
import type { ExchangeFacts, IssueOutcome, SpentValue, UnderWay } from '../port/grants.ts'
import { joinedRequestingClient, type RequestingRow, requestingColumns } from './clients.ts'
import { type ConsentRow, consentColumns, doesConsentStand } from './consent-columns.ts'
import {
  type ChainColumns,
  chainColumns,
  type GrantRow,
  grantColumns,
  grantTypes,
  toChainColumns,
  toGrant,
  toRow,
} from './grant-row.ts'
import { type CatalogueRow, catalogueVersion } from './memberships.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { joinSession } from './session-clients.ts'
import { endGrantLate } from './session-grants.ts'
import { joinedSpan, type SessionSpanRow, sessionOfGrant, sessionSpanColumns } from './session-row.ts'
import { spending, spentBefore } from './spent-values.ts'
import type { SqlTypes } from './statement.ts'
import { columns, type GrantsTable, type Joined } from './tables.ts'
import { type ExchangeUserRow, exchangeUserColumns, joinedExchangeUser } from './user-row.ts'

export type ExchangeRow = Joined<RequestingRow & ExchangeUserRow & GrantRow & ConsentRow> & CatalogueRow

const forExchange = prepare(
  'grants.forExchange',
  (
    db,
    p: Placeholders<{ grant_id: string; client_id: string; user_id: string; authorization_id: string | null }>,
    { sql },
  ) =>
    db
      .selectFrom(sql`(select 1 as one)`.as('request'))
      .leftJoin('clients', (on) => on.on('clients.id', '=', p.client_id).on('clients.deleted', '=', sql.lit(0)))
      .leftJoin('users', (on) => on.on('users.id', '=', p.user_id))
      .leftJoin('grants', (on) => on.on('grants.id', '=', p.grant_id))
      .leftJoin('authorizations', (on) => on.on('authorizations.id', '=', p.authorization_id))
      .select([...requestingColumns, ...exchangeUserColumns, ...grantColumns, ...consentColumns])
      .select(catalogueVersion),
  { grant_id: 'text', client_id: 'text', user_id: 'text', authorization_id: 'text' },
)
const forRefresh = prepare(
  'grants.forRefresh',
  (db, p: Placeholders<{ grant_id: string; client_id: string }>, { sql }) =>
    db
      .selectFrom(sql`(select 1 as one)`.as('request'))
      .leftJoin('clients', (on) => on.on('clients.id', '=', p.client_id).on('clients.deleted', '=', sql.lit(0)))
      .leftJoin('grants', (on) => on.on('grants.id', '=', p.grant_id))
      .leftJoin('users', 'users.id', 'grants.user_id')
      .leftJoin('authorizations', 'authorizations.id', 'grants.authorization_id')
      .leftJoin('sessions', sessionOfGrant(sql))
      .select([...requestingColumns, ...exchangeUserColumns, ...grantColumns, ...consentColumns])
      .select(sessionSpanColumns)
      .select(catalogueVersion),
  { grant_id: 'text', client_id: 'text' },
)

/**
 * A single insert, so that the primary key alone decides the race to redeem the code. What must be there is looked up by its key:
 * for `exists`, PostgreSQL reads a whole table of up to some 2,000 rows at each commit.
 */
const insertGrant = prepare(
  'grants.insertGrant',
  (db, p: Placeholders<GrantsTable>, { sql }) =>
    db
      .insertInto('grants')
      .columns(columns.grants)
      .expression(
        db
          .selectNoFrom(selected(p, columns.grants))
          .where(({ eb, selectFrom, or }) =>
            or([
              sql<boolean>`cast(${p.authorization_id} as text) is null`,
              eb(selectFrom('authorizations').select('id').where('id', '=', p.authorization_id), 'is not', null),
            ]),
          )
          .where(({ eb, selectFrom }) =>
            eb(selectFrom('users').select('id').where('id', '=', p.user_id), 'is not', null),
          )
          .where(({ eb, selectFrom }) =>
            eb(
              selectFrom('clients').select('id').where('id', '=', p.client_id).where('deleted', '=', sql.lit(0)),
              'is not',
              null,
            ),
          ),
      )
      .onConflict((conflict) => conflict.doNothing()),
  grantTypes,
  'id',
)

type Rotation = ChainColumns & {
  id: string
  from_generation: number
  from_expires_at_ms: number
  expires_at_ms: number
}
const rotationTypes: SqlTypes<Rotation> = { ...grantTypes, from_generation: 'bigint', from_expires_at_ms: 'bigint' }

const rotateChain = prepare(
  'grants.rotateChain',
  (db, p: Placeholders<Rotation>, { sql }) =>
    db
      .updateTable('grants')
      .set({ ...pick(p, chainColumns), expires_at_ms: p.expires_at_ms })
      .where('id', '=', p.id)
      .where('generation', '=', p.from_generation)
      // The end of a session brings it forward, and is not to be undone.
      .where('refresh_expires_at_ms', '=', p.from_expires_at_ms)
      .where('revoked_at_ms', 'is', null)
      .where(({ eb, selectFrom }) =>
        eb(
          selectFrom('clients')
            .select('clients.id')
            .whereRef('clients.id', '=', 'grants.client_id')
            .where('clients.deleted', '=', sql.lit(0)),
          'is not',
          null,
        ),
      )
      .where(({ selectFrom, or, eb }) =>
        or([
          eb('authorization_id', 'is', null),
          eb(
            selectFrom('authorizations')
              .select('authorizations.id')
              .whereRef('authorizations.id', '=', 'grants.authorization_id'),
            'is not',
            null,
          ),
        ]),
      ),
  rotationTypes,
  'id',
)
const revokeGrant = prepare('grants.revokeGrant', (db, p: Placeholders<{ id: string; revoked_at_ms: number }>) =>
  db
    .updateTable('grants')
    .set({ revoked_at_ms: p.revoked_at_ms })
    .where('id', '=', p.id)
    .where('revoked_at_ms', 'is', null),
)

export function sqlGrants(engine: Engine) {
  return {
    /** Reads the facts for a code: by its id, and the client, user and consent sealed in it. */
    findForExchange({
      grantId,
      clientId,
      userId,
      authorizationId,
    }: {
      readonly grantId: string
      readonly clientId: string
      readonly userId: string
      readonly authorizationId: string | null
    }): Promise<ExchangeFacts> {
      const query = { grant_id: grantId, client_id: clientId, user_id: userId, authorization_id: authorizationId }
      return engine.read(forExchange(query)).then(([row]) => toFacts(row as ExchangeRow | undefined, authorizationId))
    },
    /**
     * Reads the facts for a refresh token, by the grant id in it. `clientId`: the requesting client, which may differ
     * from the grant's.
     */
    findForRefresh(grantId: string, clientId: string): Promise<ExchangeFacts> {
      return engine.read(forRefresh({ grant_id: grantId, client_id: clientId })).then(toRefreshFacts)
    },
    /**
     * Redeems a code by storing the grant under the code's id. True for exactly one of any number of racing callers (RFC
     * 6749 §4.1.2). Also false if the user, client or consent was deleted meanwhile. `spends`: values that the request
     * uses up in the same commit. `sid`: the session as the client knows it, if the client is told when the session ends;
     * if it has ended already, the commit queues the notice. A refresh chain that ends with the session has ended then.
     */
    redeem(
      grant: Grant,
      events?: AuditEvents,
      underWay?: UnderWay,
      spends: readonly SpentValue[] = [],
      sid: string | null = null,
    ): Promise<IssueOutcome> {
      const inserted = [mustChange(insertGrant(toRow(grant))), ...spending(spends)]
      const statements = [...inserted, ...joinSession(grant, sid), ...endGrantLate(grant)]
      return engine.commit(statements, events, underWay).then((committed) => toOutcome(committed, spends))
    },
    /**
     * Rotates the chain from `from`; with its generation in `next`, only moves its end. True for exactly one caller, and
     * never after the grant was revoked (RFC 9700 §4.14.2) or the chain's end moved. `spends`: as above.
     */
    rotate(
      grantId: string,
      from: Pick<RefreshChain, 'generation' | 'expiresAtMs'>,
      next: RefreshChain,
      grantExpiresAtMs: number,
      events?: AuditEvents,
      underWay?: UnderWay,
      spends: readonly SpentValue[] = [],
    ): Promise<IssueOutcome> {
      const rotation = {
        ...toChainColumns(next),
        id: grantId,
        from_generation: from.generation,
        from_expires_at_ms: from.expiresAtMs,
        expires_at_ms: grantExpiresAtMs,
      }
      const statements = [mustChange(rotateChain(rotation)), ...spending(spends)]
      return engine.commit(statements, events, underWay).then((committed) => toOutcome(committed, spends))
    },
    /** Revokes the grant and all its tokens. Idempotent: the first time stands. Does nothing for an unknown grant. */
    async revoke(grantId: string, nowMs: number, events?: AuditEvents): Promise<void> {
      await engine.commit([revokeGrant({ id: grantId, revoked_at_ms: nowMs })], events)
    },
  }
}

/** The first statement is that of the grant, and the first that changes nothing ends the commit. */
function toOutcome({ applied, changes }: Committed, spends: readonly SpentValue[]): IssueOutcome {
  return applied || (changes.length > 0 && spentBefore(spends, changes.length - 1))
}

function toRefreshFacts([found]: readonly unknown[]): ExchangeFacts {
  const row = found as (ExchangeRow & Joined<SessionSpanRow>) | undefined
  const session = row && joinedSpan(row)
  return { ...toFacts(row, row?.g_authorization_id ?? null), ...(session && { session }) }
}

/** `authorizationId`: the consent that the grant needs; null: none. */
export function toFacts(row: ExchangeRow | undefined, authorizationId: string | null): ExchangeFacts {
  const client = row && joinedRequestingClient(row)
  return {
    client,
    user: row && joinedExchangeUser(row),
    grant: row && row.g_id !== null ? toGrant(row as GrantRow) : undefined,
    authorizationStands: doesConsentStand(client?.consent, authorizationId, row),
    catalogueVersion: row?.catalogue_version ?? 0,
  }
}
