/** The outbox of logout tokens (OpenID Connect Back-Channel Logout 1.0). The commit that ends a session fills it. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import type { LogoutNotice } from '../port/clients.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { joinedClient } from './clients.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { type Joined, listToText } from './tables.ts'

/** Notices read at once. */
const dueRows = 64

const due = prepare('logout-notices.due', (db, p: Placeholders<{ now_ms: number; except: string }>, { sql, isOneOf }) =>
  db
    .selectFrom('logout_notices')
    .leftJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'logout_notices.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .select([
      'logout_notices.id as n_id',
      'logout_notices.client_id as n_client_id',
      'logout_notices.user_id as n_user_id',
      'logout_notices.sid as n_sid',
      'logout_notices.attempts as n_attempts',
      ...clientColumns,
    ])
    .where('logout_notices.due_at_ms', '<=', p.now_ms)
    .where((eb) => eb.not(isOneOf('logout_notices.client_id', p.except)))
    .orderBy('logout_notices.due_at_ms')
    .orderBy('logout_notices.id')
    .limit(sql.lit(dueRows)),
)
const claim = prepare(
  'logout-notices.claim',
  (db, p: Placeholders<{ id: string; attempts: number; next_attempts: number; due_at_ms: number }>) =>
    db
      .updateTable('logout_notices')
      .set({ attempts: p.next_attempts, due_at_ms: p.due_at_ms })
      .where('id', '=', p.id)
      .where('attempts', '=', p.attempts),
)
const remove = prepare('logout-notices.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('logout_notices').where('id', '=', p.id),
)
/** Reads the notices that are due by their index, and those of other clients with them. */
const postpone = prepare(
  'logout-notices.postpone',
  (
    db,
    p: Placeholders<{ client_id: string; attempts: number; next_attempts: number; now_ms: number; due_at_ms: number }>,
  ) =>
    db
      .updateTable('logout_notices')
      .set({ attempts: p.next_attempts, due_at_ms: p.due_at_ms })
      .where('client_id', '=', p.client_id)
      .where('attempts', '=', p.attempts)
      .where('due_at_ms', '<=', p.now_ms),
)

type NoticeRow = {
  readonly n_id: string
  readonly n_client_id: string
  readonly n_user_id: string
  readonly n_sid: string
  readonly n_attempts: number
} & Joined<ClientRow>

export function sqlLogoutNotices(engine: Engine) {
  return {
    /** Returns notices that are due, a bounded number, longest due first, except those of the clients in `except`. */
    async due(nowMs: number, except: readonly string[]): Promise<LogoutNotice[]> {
      const rows = (await engine.read(due({ now_ms: nowMs, except: listToText(except) }))) as NoticeRow[]
      return rows.map((row) => ({
        id: row.n_id,
        clientId: row.n_client_id,
        client: joinedClient(row),
        userId: row.n_user_id,
        sid: row.n_sid,
        attempts: row.n_attempts,
      }))
    },
    /**
     * Begins the attempt after the first `attempts`. True for exactly one of any number of processes. The notice is due
     * again at `dueAtMs`, unless it is finished before: an attempt that a crash interrupted is repeated.
     */
    async claim(id: string, attempts: number, dueAtMs: number): Promise<boolean> {
      const statement = claim({ id, attempts, next_attempts: attempts + 1, due_at_ms: dueAtMs })
      return (await engine.commit([mustChange(statement)])).applied
    },
    /** Removes a notice: delivered, or given up. */
    async finish(id: string, events?: AuditEvents): Promise<void> {
      await engine.commit([remove({ id })], events)
    },
    /**
     * Counts an attempt for every notice of the client that is due and has had `attempts`: its address does not answer.
     */
    async postpone(clientId: string, attempts: number, nowMs: number, dueAtMs: number): Promise<void> {
      const numbers = { attempts, next_attempts: attempts + 1 }
      await engine.commit([postpone({ client_id: clientId, ...numbers, now_ms: nowMs, due_at_ms: dueAtMs })])
    },
  }
}
