import type { PushedRequest } from '../../protocol/authorization-request/pushed-request.ts'
import type { Engine } from '../engine.ts'
import type { PushedRequests } from '../port/pushed-requests.ts'
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

export function sqlPushedRequests(engine: Engine): PushedRequests {
  return {
    async store(request, spends = []) {
      const { applied, changes } = await engine.commit([insert(toRow(request)), ...spending(spends)])
      return applied || spentBefore(spends, changes.length - 1)
    },
    async find(id) {
      const [row] = await engine.read(byId({ id }))
      return row && toPushedRequest(row)
    },
    async complete(id, nowMs, events) {
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
