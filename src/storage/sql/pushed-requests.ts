/** Pushed authorization requests (RFC 9126). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { PushedRequest } from '../../protocol/authorization-request/pushed-request.ts'
import type { Engine } from '../engine.ts'
import type { SpentBefore, SpentValue } from '../port/grants.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { spending, spentBefore } from './spent-values.ts'
import { columns, type Prefixed, type PushedRequestsTable, prefixed } from './tables.ts'

type PushedRequestRow = Prefixed<'pr', PushedRequestsTable>
const pushedRequestColumns = prefixed('pushed_requests', 'pr', columns.pushed_requests)

const insert = prepare('pushed-requests.insert', (db, p: Placeholders<PushedRequestsTable>) =>
  db.insertInto('pushed_requests').values(pick(p, columns.pushed_requests)),
)
const byId = prepare('pushed-requests.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('pushed_requests').select(pushedRequestColumns).where('id', '=', p.id),
)
export const completePushed = prepare(
  'pushed-requests.complete',
  (db, p: Placeholders<{ id: string; completed_at_ms: number }>) =>
    db
      .updateTable('pushed_requests')
      .set(pick(p, ['completed_at_ms']))
      .where('id', '=', p.id)
      .where('completed_at_ms', 'is', null),
)

export function sqlPushedRequests(engine: Engine) {
  return {
    /** Stores the request and uses up `spends` in one commit. Nothing was stored unless true. */
    async store(request: PushedRequest, spends: readonly SpentValue[] = []): Promise<true | SpentBefore> {
      const { applied, changes } = await engine.commit([insert(toRow(request)), ...spending(spends)])
      return applied || spentBefore(spends, changes.length - 1)
    },
    /** Returns it whether completed and expired or not, until the sweeper removes it. */
    async find(id: string): Promise<PushedRequest | undefined> {
      const [row] = await engine.read(byId({ id }))
      return row && toPushedRequest(row)
    },
    /** Marks the request as answered. True for exactly one caller. */
    async complete(id: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(completePushed({ id, completed_at_ms: nowMs }))], events)).applied
    },
  }
}

function toRow(request: PushedRequest): PushedRequestsTable {
  return {
    id: request.id,
    secret_hash: request.secretHash,
    client_id: request.clientId,
    parameters: JSON.stringify(request.parameters),
    signed: request.signed ? 1 : 0,
    created_at_ms: request.createdAtMs,
    opens_until_ms: request.opensUntilMs,
    completed_at_ms: request.completedAtMs,
    expires_at_ms: request.expiresAtMs,
  }
}

function toPushedRequest(row: PushedRequestRow): PushedRequest {
  return {
    id: row.pr_id,
    secretHash: row.pr_secret_hash,
    clientId: row.pr_client_id,
    parameters: JSON.parse(row.pr_parameters),
    signed: row.pr_signed === 1,
    createdAtMs: row.pr_created_at_ms,
    opensUntilMs: row.pr_opens_until_ms,
    completedAtMs: row.pr_completed_at_ms,
    expiresAtMs: row.pr_expires_at_ms,
  }
}
