/** Applications that may use a person's account: by a stored consent, by an open grant, or by both. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Application } from '../port/clients.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { toClient } from './clients.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'

const consents = prepare('applications.consents', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .selectFrom('authorizations')
    .innerJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'authorizations.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .select([
      ...clientColumns,
      'authorizations.scopes as scopes',
      removedNames('scope', 'removed'),
      'authorizations.created_at_ms as created_at_ms',
    ])
    .where('authorizations.user_id', '=', p.user_id),
)
type Open = { user_id: string; now_ms: number; ended_at_ms: number }

/**
 * One row for each client and scope set. The times of rotations are a list in text, newest first, all of the same length:
 * the greatest text has the newest.
 */
const grants = prepare('applications.grants', (db, p: Placeholders<Open>, { sql }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('grants')
        .select(['client_id', 'scopes'])
        .select(({ fn }) => [
          fn.min('created_at_ms').as('created_at_ms'),
          fn.max('created_at_ms').as('last_created_at_ms'),
          fn.max('rotated_at_ms').as('rotated_at_ms'),
        ])
        .where('user_id', '=', p.user_id)
        .where('revoked_at_ms', 'is', null)
        .where('expires_at_ms', '>', p.now_ms)
        .where('created_at_ms', '>', p.ended_at_ms)
        .where(({ or, eb: is, exists, selectFrom }) =>
          or([
            is('authorization_id', 'is', null),
            exists(
              selectFrom('authorizations')
                .select('authorizations.id')
                .whereRef('authorizations.id', '=', 'grants.authorization_id'),
            ),
          ]),
        )
        .groupBy(['client_id', 'scopes'])
        .as('open'),
    )
    .innerJoin('clients', (on) => on.onRef('clients.id', '=', 'open.client_id').on('clients.deleted', '=', sql.lit(0)))
    .select([
      ...clientColumns,
      'open.scopes as scopes',
      removedNames('scope', 'removed'),
      'open.created_at_ms as created_at_ms',
      'open.last_created_at_ms as last_created_at_ms',
      'open.rotated_at_ms as rotated_at_ms',
    ]),
)
type Pair = { user_id: string; client_id: string }
const deleteConsents = prepare('applications.deleteConsents', (db, p: Placeholders<Pair>) =>
  db.deleteFrom('authorizations').where('user_id', '=', p.user_id).where('client_id', '=', p.client_id),
)
const revokeGrants = prepare('applications.revokeGrants', (db, p: Placeholders<Pair & { revoked_at_ms: number }>) =>
  db
    .updateTable('grants')
    .set({ revoked_at_ms: p.revoked_at_ms })
    .where('user_id', '=', p.user_id)
    .where('client_id', '=', p.client_id)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', p.revoked_at_ms),
)

export function sqlApplications(engine: Engine) {
  return {
    /** Ascending by the client's id. Grants that are over at `nowMs` do not count. */
    async list({ id, grantsEndedAtMs }: Pick<User, 'id' | 'grantsEndedAtMs'>, nowMs: number): Promise<Application[]> {
      const open = { user_id: id, now_ms: nowMs, ended_at_ms: grantsEndedAtMs ?? -1 }
      const [given, granted] = await Promise.all([engine.read(consents({ user_id: id })), engine.read(grants(open))])
      const parts: Application[] = [
        ...given.map((row) => part(toClient(row as ClientRow), row, null)),
        ...granted.map((row) => part(toClient(row as ClientRow), row, lastUseOf(row))),
      ]
      const byClient = Map.groupBy(parts, ({ client }) => client.id)
      return [...byClient.values()].map(merged).sort((a, b) => (a.client.id < b.client.id ? -1 : 1))
    },
    /** Deletes the person's consents to the client and revokes its grants. Returns false if there were none. */
    async remove(userId: string, clientId: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      const pair = { user_id: userId, client_id: clientId }
      const { changes } = await engine.commit(
        [deleteConsents(pair), revokeGrants({ ...pair, revoked_at_ms: nowMs })],
        events,
      )
      return changes.some((count) => count > 0)
    },
  }
}

function part(
  client: Client,
  row: { readonly scopes: string; readonly removed: string | null; readonly created_at_ms: number },
  lastUsedAtMs: number | null,
): Application {
  return { client, scopes: withoutRemoved(row.scopes, row.removed), createdAtMs: row.created_at_ms, lastUsedAtMs }
}

function lastUseOf(row: { readonly last_created_at_ms: number; readonly rotated_at_ms: string | null }): number {
  const [rotatedAtMs = 0] = row.rotated_at_ms === null ? [] : (JSON.parse(row.rotated_at_ms) as number[])
  return Math.max(row.last_created_at_ms, rotatedAtMs)
}

function merged(parts: readonly Application[]): Application {
  const [first] = parts as [Application, ...Application[]]
  const uses = parts.flatMap(({ lastUsedAtMs }) => lastUsedAtMs ?? [])
  return {
    client: first.client,
    scopes: [...new Set(parts.flatMap(({ scopes }) => scopes))].sort(),
    createdAtMs: Math.min(...parts.map(({ createdAtMs }) => createdAtMs)),
    lastUsedAtMs: uses.length === 0 ? null : Math.max(...uses),
  }
}
