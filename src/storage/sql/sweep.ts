import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { forgetClientsOf, forgetExpiredClients, tellClientsOf } from './session-clients.ts'
import { sweepFew } from './sweep-few.ts'
import type { Kind, Removal, Window } from './sweep-kind.ts'
import { registrationKinds } from './sweep-registrations.ts'
import { unusedSecrets } from './sweep-secrets.ts'
import { listToText } from './tables.ts'

/** Rows read at once. */
const windowRows = 500
/** Consecutive windows without expired rows after which a call stops. */
const idleWindows = 20

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

const kinds: readonly Kind[] = [
  grants,
  {
    window: prepare('sweep.window.sessions', (db, p: Placeholders<Window>) =>
      db.selectFrom('sessions').select(['id', 'expires_at_ms']).where('id', '>', p.after).orderBy('id').limit(p.rows),
    ),
    remove: prepare('sweep.remove.sessions', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('sessions').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
    first: ({ ids, now_ms }) => [forgetExpiredClients(ids, now_ms)],
  },
  {
    // A session that no longer exists has 0 as its expiry.
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
  },
  {
    window: prepare('sweep.window.known_browsers', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('known_browsers')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.known_browsers', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('known_browsers').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.device_codes', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('device_codes')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.device_codes', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('device_codes').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
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
  },
  {
    window: prepare('sweep.window.spent_values', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('spent_values')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.spent_values', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('spent_values').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.pushed_requests', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('pushed_requests')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.pushed_requests', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('pushed_requests').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  ...registrationKinds,
  {
    window: prepare('sweep.window.idempotency_keys', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('idempotency_keys')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.idempotency_keys', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('idempotency_keys').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.confirmations', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('confirmations')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.confirmations', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('confirmations').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.mails', (db, p: Placeholders<Window>) =>
      db.selectFrom('mails').select(['id', 'expires_at_ms']).where('id', '>', p.after).orderBy('id').limit(p.rows),
    ),
    remove: prepare('sweep.remove.mails', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('mails').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.uptimes', (db, p: Placeholders<Window>) =>
      db.selectFrom('uptimes').select(['id', 'expires_at_ms']).where('id', '>', p.after).orderBy('id').limit(p.rows),
    ),
    remove: prepare('sweep.remove.uptimes', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('uptimes').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
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
