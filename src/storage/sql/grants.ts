import { methodsToText, textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { Grant, RefreshChain } from '../../protocol/grant/grant.ts'
import type { Committed, Engine } from '../engine.ts'
import type { ExchangeFacts, Grants, IssueOutcome } from '../port/grants.ts'
import type { SpentValue } from '../port/spent-values.ts'
import { joinedRequestingClient, type RequestingRow, requestingColumns } from './clients.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'
import { joinSession } from './session-clients.ts'
import { joinedSpan, type SessionSpanRow, sessionOfGrant, sessionSpanColumns } from './session-span.ts'
import { spending, spentBefore } from './spent-values.ts'
import { columns, type GrantsTable, type Joined, listToText, type Prefixed, prefixed, textToList } from './tables.ts'
import { type ExchangeUserRow, exchangeUserColumns, joinedExchangeUser } from './user-row.ts'

type GrantRow = Prefixed<'g', GrantsTable> & { readonly g_removed_scopes: string | null }
export const grantColumns = [
  ...prefixed('grants', 'g', columns.grants),
  removedNames('scope', 'g_removed_scopes'),
] as const

export type ExchangeRow = Joined<RequestingRow & ExchangeUserRow & GrantRow & { readonly consent_id: string }>

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
      .select([...requestingColumns, ...exchangeUserColumns, ...grantColumns, 'authorizations.id as consent_id']),
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
      .select([...requestingColumns, ...exchangeUserColumns, ...grantColumns, 'authorizations.id as consent_id'])
      .select(sessionSpanColumns),
)

/** A single insert, so that the primary key alone decides the race to redeem the code. */
const insertGrant = prepare('grants.insertGrant', (db, p: Placeholders<GrantsTable>, { sql }) =>
  db
    .insertInto('grants')
    .columns(columns.grants)
    .expression(
      db
        .selectNoFrom(selected(p, columns.grants))
        .where(({ exists, selectFrom, or }) =>
          or([
            sql<boolean>`cast(${p.authorization_id} as text) is null`,
            exists(selectFrom('authorizations').select('id').where('id', '=', p.authorization_id)),
          ]),
        )
        .where(({ exists, selectFrom }) => exists(selectFrom('users').select('id').where('id', '=', p.user_id)))
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('clients').select('id').where('id', '=', p.client_id).where('deleted', '=', sql.lit(0))),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

type Rotation = ChainColumns & { id: string; from_generation: number; expires_at_ms: number }

const rotateChain = prepare('grants.rotateChain', (db, p: Placeholders<Rotation>, { sql }) =>
  db
    .updateTable('grants')
    .set({ ...pick(p, chainColumns), expires_at_ms: p.expires_at_ms })
    .where('id', '=', p.id)
    .where('generation', '=', p.from_generation)
    .where('revoked_at_ms', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('clients')
          .select('clients.id')
          .whereRef('clients.id', '=', 'grants.client_id')
          .where('clients.deleted', '=', sql.lit(0)),
      ),
    )
    .where(({ exists, selectFrom, or, eb }) =>
      or([
        eb('authorization_id', 'is', null),
        exists(
          selectFrom('authorizations')
            .select('authorizations.id')
            .whereRef('authorizations.id', '=', 'grants.authorization_id'),
        ),
      ]),
    ),
)
const revokeGrant = prepare('grants.revokeGrant', (db, p: Placeholders<{ id: string; revoked_at_ms: number }>) =>
  db
    .updateTable('grants')
    .set({ revoked_at_ms: p.revoked_at_ms })
    .where('id', '=', p.id)
    .where('revoked_at_ms', 'is', null),
)

export function sqlGrants(engine: Engine): Grants {
  return {
    findForExchange({ grantId, clientId, userId, authorizationId }) {
      const query = { grant_id: grantId, client_id: clientId, user_id: userId, authorization_id: authorizationId }
      return engine.read(forExchange(query)).then(([row]) => toFacts(row as ExchangeRow | undefined, authorizationId))
    },
    findForRefresh(grantId, clientId) {
      return engine.read(forRefresh({ grant_id: grantId, client_id: clientId })).then(toRefreshFacts)
    },
    redeem(grant, events, underWay, spends = [], sid = null) {
      const statements = [mustChange(insertGrant(toRow(grant))), ...spending(spends), ...joinSession(grant, sid)]
      return engine.commit(statements, events, underWay).then((committed) => toOutcome(committed, spends))
    },
    rotate(grantId, fromGeneration, next, grantExpiresAtMs, events, underWay, spends = []) {
      const rotation = {
        ...toChainColumns(next),
        id: grantId,
        from_generation: fromGeneration,
        expires_at_ms: grantExpiresAtMs,
      }
      const statements = [mustChange(rotateChain(rotation)), ...spending(spends)]
      return engine.commit(statements, events, underWay).then((committed) => toOutcome(committed, spends))
    },
    async revoke(grantId, nowMs, events) {
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
  return {
    client: row && joinedRequestingClient(row),
    user: row && joinedExchangeUser(row),
    grant: row && row.g_id !== null ? toGrant(row as GrantRow) : undefined,
    authorizationStands: authorizationId === null || (row?.consent_id ?? null) !== null,
  }
}

const chainColumns = [
  'generation',
  'salt',
  'derivation_key_id',
  'derived_from',
  'refresh_expires_at_ms',
  'rotated_at_ms',
] as const

type ChainColumns = Pick<GrantsTable, (typeof chainColumns)[number]>

function toChainColumns(chain: RefreshChain | null): ChainColumns {
  return {
    generation: chain?.generation ?? null,
    salt: chain?.salt ?? null,
    derivation_key_id: chain?.derivationKeyId ?? null,
    derived_from: chain?.derivedFrom ?? null,
    refresh_expires_at_ms: chain?.expiresAtMs ?? null,
    rotated_at_ms: chain && listToText(chain.rotatedAtMs),
  }
}

function toRow(grant: Grant): GrantsTable {
  return {
    ...toChainColumns(grant.refresh),
    id: grant.id,
    client_id: grant.clientId,
    user_id: grant.userId,
    authorization_id: grant.authorizationId,
    scopes: listToText(grant.scopes),
    resources: listToText(grant.resources),
    authenticated_at_ms: grant.authenticatedAtMs,
    method: methodsToText(grant.methods),
    session_id: grant.sessionId,
    confirmation: grant.confirmation && JSON.stringify(grant.confirmation),
    nonce: grant.nonce,
    claims: grant.claims && JSON.stringify(grant.claims),
    created_at_ms: grant.createdAtMs,
    revoked_at_ms: grant.revokedAtMs,
    expires_at_ms: grant.expiresAtMs,
  }
}

export function toGrant(row: GrantRow): Grant {
  return {
    id: row.g_id,
    clientId: row.g_client_id,
    userId: row.g_user_id,
    authorizationId: row.g_authorization_id,
    scopes: withoutRemoved(row.g_scopes, row.g_removed_scopes),
    resources: textToList(row.g_resources),
    authenticatedAtMs: row.g_authenticated_at_ms,
    methods: textToMethods(row.g_method),
    sessionId: row.g_session_id,
    confirmation: row.g_confirmation === null ? null : JSON.parse(row.g_confirmation),
    nonce: row.g_nonce,
    claims: row.g_claims === null ? null : JSON.parse(row.g_claims),
    createdAtMs: row.g_created_at_ms,
    revokedAtMs: row.g_revoked_at_ms,
    expiresAtMs: row.g_expires_at_ms,
    refresh: toChain(row),
  }
}

export function toChain(row: Prefixed<'g', ChainColumns>): RefreshChain | null {
  if (row.g_generation === null) return null
  const chain = {
    generation: row.g_generation,
    salt: row.g_salt as string,
    derivationKeyId: row.g_derivation_key_id as string,
    expiresAtMs: row.g_refresh_expires_at_ms as number,
    rotatedAtMs: JSON.parse(row.g_rotated_at_ms as string),
  }
  return row.g_derived_from === null ? chain : { ...chain, derivedFrom: row.g_derived_from }
}
