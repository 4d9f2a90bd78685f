/** Keeps clients that registered themselves, which end where nobody used them. */
import { type Placeholders, pick, prepare } from './prepared.ts'

/** For a registration that does not expire: later than any time, and exact in every engine. */
export const neverMs = Number.MAX_SAFE_INTEGER

type Keeping = { client_id: string; expires_at_ms: number }
export const keepRegistration = prepare('registrations.keep', (db, p: Placeholders<Keeping>) =>
  db
    .updateTable('client_registrations')
    .set(pick(p, ['expires_at_ms']))
    .where('client_id', '=', p.client_id)
    .where('expires_at_ms', '<', p.expires_at_ms),
)
