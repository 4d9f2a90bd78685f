/** Requests of devices (RFC 8628). */
import type { AuditEvents } from '../../audit/entry.ts'
import { methodsToText, textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { DeviceAnswer, DeviceCode } from '../../protocol/device/device-code.ts'
import type { Engine } from '../engine.ts'
import type { DevicePollFacts, DeviceRequestFacts } from '../port/grants.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { requestingColumns, toClient } from './clients.ts'
import { consentColumns } from './consent-columns.ts'
import { grantColumns } from './grant-row.ts'
import { type ExchangeRow, toFacts } from './grants.ts'
import { catalogueVersion } from './memberships.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { type ScopeRow, scopeColumns, toScope } from './scopes.ts'
import {
  columns,
  type DeviceCodesTable,
  type Joined,
  listToText,
  type Prefixed,
  prefixed,
  textToList,
} from './tables.ts'
import { exchangeUserColumns } from './user-row.ts'

type DeviceCodeRow = Prefixed<'d', DeviceCodesTable>
const deviceCodeColumns = prefixed('device_codes', 'd', columns.device_codes)

/** Inserts nothing if the client was deleted. */
const insertCode = prepare('device-codes.insertCode', (db, p: Placeholders<DeviceCodesTable>, { sql }) =>
  db
    .insertInto('device_codes')
    .columns(columns.device_codes)
    .expression(
      db
        .selectNoFrom(selected(p, columns.device_codes))
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('clients').select('id').where('id', '=', p.client_id).where('deleted', '=', sql.lit(0))),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const forPoll = prepare('device-codes.forPoll', (db, p: Placeholders<{ id: string; client_id: string }>, { sql }) =>
  db
    .selectFrom(sql`(select 1 as one)`.as('request'))
    .leftJoin('device_codes', (on) => on.on('device_codes.id', '=', p.id))
    .leftJoin('clients', (on) => on.on('clients.id', '=', p.client_id).on('clients.deleted', '=', sql.lit(0)))
    .leftJoin('users', 'users.id', 'device_codes.user_id')
    .leftJoin('grants', 'grants.id', 'device_codes.id')
    .leftJoin('authorizations', 'authorizations.id', 'device_codes.authorization_id')
    .select([...deviceCodeColumns, ...requestingColumns, ...exchangeUserColumns, ...grantColumns, ...consentColumns])
    .select(catalogueVersion),
)
const byUserCode = prepare('device-codes.byUserCode', (db, p: Placeholders<{ hashes: string }>, { sql, isOneOf }) =>
  db
    .selectFrom('device_codes')
    .innerJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'device_codes.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .leftJoin('scopes', (on) => on.on((eb) => isOneOf('scopes.name', eb.ref('device_codes.scopes'))))
    .select([...deviceCodeColumns, ...clientColumns, ...scopeColumns])
    .where(isOneOf('device_codes.user_code_hash', p.hashes)),
)
type AnswerColumns = Pick<
  DeviceCodesTable,
  'answer' | 'user_id' | 'authorization_id' | 'session_id' | 'authenticated_at_ms' | 'method' | 'answered_at_ms'
>
const answerColumns = [
  'answer',
  'user_id',
  'authorization_id',
  'session_id',
  'authenticated_at_ms',
  'method',
  'answered_at_ms',
] as const
const answerCode = prepare(
  'device-codes.answerCode',
  (db, p: Placeholders<AnswerColumns & { id: string; now_ms: number }>) =>
    db
      .updateTable('device_codes')
      .set(pick(p, answerColumns))
      .where('id', '=', p.id)
      .where('answer', 'is', null)
      .where('ends_at_ms', '>', p.now_ms),
)
/**
 * Changes nothing, but holds the live session until the commit: its end waits, and then sees what was stored for it; if the end came
 * first, no row is left to hold. Whatever takes both locks the session before what was begun in it.
 */
const holdSession = prepare(
  'device-codes.holdSession',
  (db, p: Placeholders<{ session_id: string; user_id: string; now_ms: number }>) =>
    db
      .updateTable('sessions')
      .set({ user_id: p.user_id })
      .where('id', '=', p.session_id)
      .where('user_id', '=', p.user_id)
      .where('expires_at_ms', '>', p.now_ms),
)

export function sqlDeviceCodes(engine: Engine) {
  return {
    /** Stores a request. False: its user code is taken, or its client was deleted. `keptUntilMs`: when it may be removed. */
    async create(code: DeviceCode, keptUntilMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(insertCode(toRow(code, keptUntilMs)))], events)).applied
    },
    /** Reads the facts for a poll, by the id in the device code. `clientId`: the polling client. */
    async findForPoll(id: string, clientId: string): Promise<DevicePollFacts> {
      const [found] = await engine.read(forPoll({ id, client_id: clientId }))
      const row = found as Joined<DeviceCodeRow> | undefined
      const facts = toFacts(found as ExchangeRow | undefined, row?.d_authorization_id ?? null)
      return { ...facts, code: row === undefined || row.d_id === null ? undefined : toCode(row as DeviceCodeRow) }
    },
    /** Finds the request with one of these hashes of its user code. */
    async findByUserCode(hashes: readonly string[]): Promise<DeviceRequestFacts | undefined> {
      const rows = await engine.read(byUserCode({ hashes: listToText(hashes) }))
      const [first] = rows as (DeviceCodeRow & ClientRow & Joined<ScopeRow>)[]
      if (first === undefined) return undefined
      const scopes = first.sc_name === null ? [] : rows.map((row) => toScope(row as ScopeRow))
      return { code: toCode(first), client: toClient(first), scopes }
    },
    /**
     * Stores the user's answer. True for exactly one caller, never after the end of the code, and for an approval only while its session
     * lives: one that ends at the same moment either refuses the approval or ends it, as `Sessions.end` says.
     */
    async answer(id: string, answer: DeviceAnswer, nowMs: number, events?: AuditEvents): Promise<boolean> {
      const stored = mustChange(answerCode({ ...toAnswerColumns(answer), id, now_ms: nowMs }))
      if (answer.kind === 'denied') return (await engine.commit([stored], events)).applied
      const { sessionId, userId } = answer
      const held = mustChange(holdSession({ session_id: sessionId, user_id: userId, now_ms: nowMs }))
      return (await engine.commit([held, stored], events)).applied
    },
  }
}

function toRow(code: DeviceCode, keptUntilMs: number): DeviceCodesTable {
  return {
    id: code.id,
    secret_hash: code.secretHash,
    user_code_hash: code.userCodeHash,
    client_id: code.clientId,
    scopes: listToText(code.scopes),
    resources: listToText(code.resources),
    created_at_ms: code.createdAtMs,
    ends_at_ms: code.endsAtMs,
    expires_at_ms: keptUntilMs,
    ...toAnswerColumns(code.answer),
  }
}

function toAnswerColumns(answer: DeviceAnswer | null): AnswerColumns {
  const approval = answer?.kind === 'approved' ? answer : undefined
  return {
    answer: answer?.kind ?? null,
    user_id: approval?.userId ?? null,
    authorization_id: approval?.authorizationId ?? null,
    session_id: approval?.sessionId ?? null,
    authenticated_at_ms: approval?.authenticatedAtMs ?? null,
    method: approval === undefined ? null : methodsToText(approval.methods),
    answered_at_ms: approval?.answeredAtMs ?? null,
  }
}

function toCode(row: DeviceCodeRow): DeviceCode {
  return {
    id: row.d_id,
    secretHash: row.d_secret_hash,
    userCodeHash: row.d_user_code_hash,
    clientId: row.d_client_id,
    scopes: textToList(row.d_scopes),
    resources: textToList(row.d_resources),
    createdAtMs: row.d_created_at_ms,
    endsAtMs: row.d_ends_at_ms,
    answer: toAnswer(row),
  }
}

function toAnswer(row: DeviceCodeRow): DeviceAnswer | null {
  if (row.d_answer === null) return null
  if (row.d_answer !== 'approved') return { kind: 'denied' }
  return {
    kind: 'approved',
    userId: row.d_user_id as string,
    authorizationId: row.d_authorization_id,
    sessionId: row.d_session_id as string,
    authenticatedAtMs: row.d_authenticated_at_ms as number,
    methods: textToMethods(row.d_method as string),
    answeredAtMs: row.d_answered_at_ms as number,
  }
}
