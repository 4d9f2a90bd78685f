/** Access tokens: their issue without a grant, their revocation, and whose they are. */
import type { Kysely } from 'kysely'
import type { AuditEvents } from '../../audit/entry.ts'
import { textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { Client } from '../../protocol/client/client.ts'
import { textToMetadata } from '../../protocol/client/client-metadata.ts'
import { rememberedText } from '../../users/remembered.ts'
import type { Engine } from '../engine.ts'
import type { IntrospectionFacts, SpentBefore, SpentValue, TokenHolder, UnderWay } from '../port/grants.ts'
import { joinedRequestingClient, type RequestingRow, requestingColumns } from './clients.ts'
import { type ConsentRow, consentColumns, doesConsentStand } from './consent-columns.ts'
import { type IntrospectedRow, introspectedColumns, toIntrospectedGrant } from './grant-row.ts'
import { type CatalogueRow, catalogueVersion } from './memberships.ts'
import { type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import { joinedSpan, type SessionSpanRow, sessionOfGrant, sessionSpanColumns } from './session-row.ts'
import { spending, spentBefore } from './spent-values.ts'
import { type Database, type Joined, listToText, type RevokedAccessTokensTable } from './tables.ts'
import { type ExchangeUserRow, exchangeUserColumns, joinedExchangeUser, toExchangeUser } from './user-row.ts'

type Ids = { readonly jti: string; readonly grant_id: string }

/** Selects the token's grant, user and client if the token is valid: not revoked, and these and its consent still exist. */
const valid = (db: Kysely<Database>, p: Placeholders<Ids>, { sql }: Tools) =>
  db
    .selectFrom('grants')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .innerJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'grants.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .where('grants.id', '=', p.grant_id)
    .where('grants.revoked_at_ms', 'is', null)
    .where(({ exists, selectFrom, or, eb }) =>
      or([
        eb('grants.authorization_id', 'is', null).and('clients.consent', '<>', sql.lit('external')),
        exists(
          selectFrom('authorizations')
            .select('authorizations.id')
            .whereRef('authorizations.id', '=', 'grants.authorization_id')
            .where((auth) =>
              auth.or([auth('clients.consent', '<>', sql.lit('external')), auth('by_operator', '=', sql.lit(1))]),
            ),
        ),
      ]),
    )
    .where(({ exists, selectFrom, not }) =>
      not(exists(selectFrom('revoked_access_tokens').select('jti').where('jti', '=', p.jti))),
    )

const standing = prepare('access-tokens.standing', (db, p: Placeholders<Ids>, tools) =>
  valid(db, p, tools).select('grants.id'),
)
const standingOfClient = prepare(
  'access-tokens.standingOfClient',
  (db, p: Placeholders<{ jtis: string; client_id: string; issued_before_ms: number }>, { sql, isOneOf }) =>
    db
      .selectFrom('clients')
      .select('clients.id')
      .where('clients.id', '=', p.client_id)
      .where('clients.deleted', '=', sql.lit(0))
      .where('clients.created_at_ms', '<', p.issued_before_ms)
      .where(({ exists, selectFrom, not }) =>
        not(exists(selectFrom('revoked_access_tokens').select('jti').where(isOneOf('jti', p.jtis)))),
      ),
)
const holder = prepare(
  'access-tokens.holder',
  (db, p: Placeholders<Ids>, tools) =>
    valid(db, p, tools)
      .leftJoin('sessions', sessionOfGrant(tools.sql))
      .select([
        ...exchangeUserColumns,
        'grants.authenticated_at_ms',
        'grants.method as method',
        'grants.created_at_ms as granted_at_ms',
        'grants.client_id as grant_client_id',
        'grants.session_id',
        ...sessionSpanColumns,
        'grants.claims as requested_claims',
        'clients.metadata',
      ])
      .select(catalogueVersion),
  { jti: 'text', grant_id: 'text' },
)
type Introspected = { asking_client_id: string; token_client_id: string; grant_id: string; jti: string }

const forIntrospection = prepare(
  'access-tokens.forIntrospection',
  (db, p: Placeholders<Introspected>, { sql }) =>
    db
      .selectFrom(sql`(select 1 as one)`.as('request'))
      .leftJoin('clients', (on) => on.on('clients.id', '=', p.asking_client_id).on('clients.deleted', '=', sql.lit(0)))
      .leftJoin('clients as holders', (on) =>
        on.on('holders.id', '=', p.token_client_id).on('holders.deleted', '=', sql.lit(0)),
      )
      .leftJoin('revoked_access_tokens', (on) => on.on('revoked_access_tokens.jti', '=', p.jti))
      .leftJoin('grants', (on) => on.on('grants.id', '=', p.grant_id))
      .leftJoin('clients as owners', (on) =>
        on.onRef('owners.id', '=', 'grants.client_id').on('owners.deleted', '=', sql.lit(0)),
      )
      .leftJoin('users', 'users.id', 'grants.user_id')
      .leftJoin('authorizations', 'authorizations.id', 'grants.authorization_id')
      .leftJoin('sessions', sessionOfGrant(sql))
      .select([
        ...requestingColumns,
        ...introspectedColumns,
        ...sessionSpanColumns,
        ...exchangeUserColumns,
        ...consentColumns,
        'holders.created_at_ms as holder_since_ms',
        'holders.metadata as holder_metadata',
        'owners.id as owner_id',
        'owners.consent as owner_consent',
        'revoked_access_tokens.jti as revoked_jti',
      ])
      .select(catalogueVersion),
  { asking_client_id: 'text', token_client_id: 'text', grant_id: 'text', jti: 'text' },
)
type IntrospectionRow = Joined<
  RequestingRow &
    IntrospectedRow &
    SessionSpanRow &
    ExchangeUserRow &
    ConsentRow & {
      readonly owner_id: string
      readonly owner_consent: Client['consent']
      readonly holder_since_ms: number
      readonly holder_metadata: string | null
      readonly revoked_jti: string
    }
> &
  CatalogueRow

const insertRevoked = prepare('access-tokens.insertRevoked', (db, p: Placeholders<RevokedAccessTokensTable>) =>
  db
    .insertInto('revoked_access_tokens')
    .values(pick(p, ['jti', 'expires_at_ms']))
    .onConflict((conflict) => conflict.doNothing()),
)

const readRequested = rememberedText((text): TokenHolder['claims'] => JSON.parse(text))

export function sqlAccessTokens(engine: Engine) {
  return {
    /**
     * Records the issue of tokens that neither redeems nor rotates a grant, and uses up `spends` in the same commit.
     * Nothing was stored unless true.
     */
    issue(events: AuditEvents, underWay?: UnderWay, spends: readonly SpentValue[] = []): Promise<true | SpentBefore> {
      return engine
        .commit(spending(spends), events, underWay)
        .then(({ applied, changes }) => applied || spentBefore(spends, changes.length))
    },
    /** Stores a revoked access token until its expiry. */
    async revoke(jti: string, expiresAtMs: number, events?: AuditEvents): Promise<void> {
      await engine.commit([insertRevoked({ jti, expires_at_ms: expiresAtMs })], events)
    },
    /** Whether the token or its grant was revoked, or the grant was deleted. */
    async isRevoked(jti: string, grantId: string): Promise<boolean> {
      return (await engine.read(standing({ jti, grant_id: grantId }))).length === 0
    },
    /**
     * The same for tokens that depend on a client instead of a grant: whether one of them was revoked or the client
     * deleted. A client that was registered after `issuedBeforeMs` under the id of a deleted one has no tokens from before.
     */
    async isClientTokenRevoked(jtis: readonly string[], clientId: string, issuedBeforeMs: number): Promise<boolean> {
      const query = { jtis: listToText(jtis), client_id: clientId, issued_before_ms: issuedBeforeMs }
      return (await engine.read(standingOfClient(query))).length === 0
    },
    /** Returns the user and grant of a token; undefined where `isRevoked` is true. */
    async findHolder(jti: string, grantId: string): Promise<TokenHolder | undefined> {
      const [row] = await engine.read(holder({ jti, grant_id: grantId }))
      if (row === undefined) return undefined
      const { authenticated_at_ms: authenticatedAtMs, granted_at_ms: grantedAtMs } = row
      const { grant_client_id: grantClientId, session_id: sessionId } = row
      const session = joinedSpan(row)
      const claims = row.requested_claims === null ? null : readRequested(row.requested_claims)
      const [methods, metadata] = [textToMethods(row.method), textToMetadata(row.metadata)]
      return {
        user: toExchangeUser(row),
        catalogueVersion: row.catalogue_version ?? 0,
        authenticatedAtMs,
        methods,
        grantedAtMs,
        grantClientId,
        sessionId,
        session,
        claims,
        metadata,
      }
    },
    /** Reads the facts about a token, also about an unknown one. An absent id is an empty text. */
    findForIntrospection({
      askingClientId,
      tokenClientId,
      grantId,
      jti,
    }: {
      readonly askingClientId: string
      readonly tokenClientId: string
      readonly grantId: string
      readonly jti: string
    }): Promise<IntrospectionFacts> {
      const query = { asking_client_id: askingClientId, token_client_id: tokenClientId, grant_id: grantId, jti }
      return engine.read(forIntrospection(query)).then(([row]) => toFacts(row as IntrospectionRow | undefined))
    },
  }
}

/** The statement returns one row, whatever exists. None: a value has NUL, which no stored one can equal. */
function toFacts(row: IntrospectionRow | undefined): IntrospectionFacts {
  if (row === undefined) return nothing
  const session = joinedSpan(row)
  return {
    client: joinedRequestingClient(row),
    grant: row.g_id === null || row.owner_id === null ? undefined : toIntrospectedGrant(row as IntrospectedRow),
    authorizationStands: doesConsentStand(row.owner_consent, row.g_authorization_id, row),
    user: joinedExchangeUser(row),
    ...(session && { session }),
    catalogueVersion: row.catalogue_version ?? 0,
    isRevoked: row.revoked_jti !== null,
    tokenClientSinceMs: row.holder_since_ms ?? undefined,
    tokenClientMetadata: textToMetadata(row.holder_metadata),
  }
}

const nothing: IntrospectionFacts = {
  client: undefined,
  grant: undefined,
  authorizationStands: false,
  user: undefined,
  catalogueVersion: 0,
  isRevoked: false,
  tokenClientSinceMs: undefined,
  tokenClientMetadata: textToMetadata(null),
}
