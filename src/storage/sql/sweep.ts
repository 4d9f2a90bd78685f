/** Removes what has expired. */
import { invitationKeptMs } from '../../users/confirmation.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import { forgetClientsOf, forgetExpiredClients, tellClientsOf } from './session-clients.ts'
import type { Statement } from './statement.ts'
import { sweepFew } from './sweep-few.ts'
import { unusedSecrets } from './sweep-secrets.ts'
import { listToText } from './tables.ts'

/** Rows read at once. */
const windowRows = 500
/** Consecutive windows without expired rows after which a call stops. */
const idleWindows = 20

type Window = { after: string; rows: number }
type WindowRow = { id: string; expires_at_ms: number; derivation_key_id?: string | null }
type Removal = { ids: string; now_ms: number }

/**
 * A kind of row that accumulates. These tables have no index on their expiry, because every rotation would have to
 * write it. The sweeper walks them along the primary key instead, a window at a time, and continues where it stopped.
 * The cost of a call is bounded, whatever the size of the table.
 */
type Kind = {
  window(values: Window): Statement<WindowRow>
  /** Checks the expiry again: a row that was renewed meanwhile stays. */
  remove(values: Removal): Statement
  /** Comes before the removal in the same commit. */
  first?(values: Removal): Statement[]
}

/** Tables whose rows are found by their id and removed by their expiry. */
type Expiring =
  | 'sessions'
  | 'known_browsers'
  | 'device_codes'
  | 'spent_values'
  | 'pushed_requests'
  | 'registration_tokens'
  | 'client_registrations'
  | 'idempotency_keys'
  | 'mails'
  | 'uptimes'

const kindOf = (table: Expiring): Kind => ({
  window: prepare(`sweep.window.${table}`, (db, p: Placeholders<Window>) =>
    db.selectFrom(table).select(['id', 'expires_at_ms']).where('id', '>', p.after).orderBy('id').limit(p.rows),
  ),
  remove: prepare(`sweep.remove.${table}`, (db, p: Placeholders<Removal>, { isOneOf }) =>
    db.deleteFrom(table).where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
  ),
})

/** An invitation can be read for a while after its end. */
const keptAfterEnd = ({ sql }: Pick<Tools, 'sql'>) =>
  sql<number>`(expires_at_ms + case when purpose = 'invite' then ${sql.lit(invitationKeptMs)} else 0 end)`

const confirmations: Kind = {
  window: prepare('sweep.window.confirmations', (db, p: Placeholders<Window>, tools) =>
    db
      .selectFrom('confirmations')
      .select(['id', keptAfterEnd(tools).as('expires_at_ms')])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.rows),
  ),
  remove: prepare('sweep.remove.confirmations', (db, p: Placeholders<Removal>, tools) =>
    db.deleteFrom('confirmations').where(tools.isOneOf('id', p.ids)).where(keptAfterEnd(tools), '<=', p.now_ms),
  ),
}

const grants: Kind = {
  window: prepare('sweep.window.grants', (db, p: Placeholders<Window>) =>
    db
      .selectFrom('grants')
      .select(['id', 'expires_at_ms', 'derivation_key_id'])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.rows),
  ),
  remove: prepare('sweep.remove.grants', (db, p: Placeholders<Removal>, { isOneOf }) =>
    db.deleteFrom('grants').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
  ),
}

/** Those of sessions that no longer exist, which have 0 as their expiry. */
const orphanedClients: Kind = {
  window: prepare('sweep.window.session_clients', (db, p: Placeholders<Window>, { sql }) =>
    db
      .selectFrom('session_clients')
      .leftJoin('sessions', 'sessions.id', 'session_clients.session_id')
      .select([
        'session_clients.session_id as id',
        sql<number>`max(case when sessions.id is null then 0 else ${sql.lit(Number.MAX_SAFE_INTEGER)} end)`.as(
          'expires_at_ms',
        ),
      ])
      .where('session_clients.session_id', '>', p.after)
      .groupBy('session_clients.session_id')
      .orderBy('session_clients.session_id')
      .limit(p.rows),
  ),
  remove: ({ ids }) => forgetClientsOf(ids),
  first: ({ ids }) => [tellClientsOf(ids)],
}

const revokedTokens: Kind = {
  window: prepare('sweep.window.revoked_access_tokens', (db, p: Placeholders<Window>) =>
    db
      .selectFrom('revoked_access_tokens')
      .select(['jti as id', 'expires_at_ms'])
      .where('jti', '>', p.after)
      .orderBy('jti')
      .limit(p.rows),
  ),
  remove: prepare('sweep.remove.revoked_access_tokens', (db, p: Placeholders<Removal>, { isOneOf }) =>
    db.deleteFrom('revoked_access_tokens').where(isOneOf('jti', p.ids)).where('expires_at_ms', '<=', p.now_ms),
  ),
}

/** Clients of open registration that were not used. Those that an operator released from consent may be used unnoticed. */
const removeClients = prepare('sweep.remove.unused_clients', (db, p: Placeholders<Removal>, { isOneOf }) =>
  db
    .deleteFrom('clients')
    .where('consent', '=', 'explicit')
    .where(
      'id',
      'in',
      db
        .selectFrom('client_registrations')
        .select('client_id')
        .where(isOneOf('client_registrations.id', p.ids))
        .where('expires_at_ms', '<=', p.now_ms),
    ),
)

const kinds: readonly Kind[] = [
  grants,
  { ...kindOf('sessions'), first: ({ ids, now_ms }) => [forgetExpiredClients(ids, now_ms)] },
  orphanedClients,
  kindOf('known_browsers'),
  kindOf('device_codes'),
  revokedTokens,
  kindOf('spent_values'),
  kindOf('pushed_requests'),
  kindOf('registration_tokens'),
  { ...kindOf('client_registrations'), first: (values) => [removeClients(values)] },
  kindOf('idempotency_keys'),
  confirmations,
  kindOf('mails'),
  kindOf('uptimes'),
]

export function sqlSweep(engine: Engine) {
  /** The key after which the next window of each kind starts. */
  const positions = new Map<Kind, string>()
  const secrets = unusedSecrets(engine)

  async function sweepKind(kind: Kind, nowMs: number, limit: number, secretsKeptMs?: number): Promise<number> {
    let removed = 0
    let wrapped = false
    for (let idle = 0; idle < idleWindows; ) {
      const after = positions.get(kind) ?? ''
      if (kind === grants && after === '') await secrets.beginWalk(nowMs, secretsKeptMs)
      const rows = await engine.read(kind.window({ after, rows: windowRows }))
      if (kind === grants) secrets.met(rows)
      const expired = rows.filter((row) => row.expires_at_ms <= nowMs)
      if (expired.length === 0) idle += 1
      else {
        const ids = listToText(expired.slice(0, limit - removed).map((row) => row.id))
        const removal = { ids, now_ms: nowMs }
        const { changes } = await engine.commit([...(kind.first?.(removal) ?? []), kind.remove(removal)])
        // The rest of this window is left to the next call.
        if (expired.length >= limit - removed) return removed + (changes.at(-1) ?? 0)
        removed += changes.at(-1) ?? 0
      }

      const last = rows.at(-1)
      if (last && rows.length === windowRows) positions.set(kind, last.id)
      else {
        // End of the table. A call that started in the middle wraps around once.
        positions.delete(kind)
        if (kind === grants) removed += await secrets.endWalk()
        if (wrapped || after === '') break
        wrapped = true
      }
    }
    return removed
  }

  return {
    /**
     * Removes at most `limit` expired rows of each kind. Returns their number. Clients of an expired session are not told.
     * Clients of a session that was deleted without telling them are told now. Removes a derivation secret if it was
     * replaced more than `secretsKeptMs` ago (default and minimum: a day) and a complete walk over all grants, possibly
     * spread over many calls, found no chain that uses it.
     */
    async sweep(nowMs: number, limit: number, secretsKeptMs?: number): Promise<number> {
      let removed = 0
      for (const kind of kinds) removed += await sweepKind(kind, nowMs, limit, secretsKeptMs)
      return removed + (await sweepFew(engine, nowMs, limit))
    },
  }
}
