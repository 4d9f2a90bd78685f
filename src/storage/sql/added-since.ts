/** Removes what was added to an account since a time: for an owner who takes it back from somebody else. */
import { endWithLastFactor } from './last-factor.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

type Since = Placeholders<{ user_id: string; since_ms: number }>

const passkeys = prepare('added-since.passkeys', (db, p: Since) =>
  db.deleteFrom('passkeys').where('user_id', '=', p.user_id).where('created_at_ms', '>=', p.since_ms),
)
const logins = prepare('added-since.logins', (db, p: Since) =>
  db.deleteFrom('external_logins').where('user_id', '=', p.user_id).where('created_at_ms', '>=', p.since_ms),
)
/** Who takes the account back is not held to be made by somebody else. */
const registrations = prepare('added-since.registrations', (db, p: Since) =>
  db.deleteFrom('external_registrations').where('user_id', '=', p.user_id).where('created_at_ms', '>=', p.since_ms),
)
const consents = prepare('added-since.consents', (db, p: Since) =>
  db.deleteFrom('authorizations').where('user_id', '=', p.user_id).where('created_at_ms', '>=', p.since_ms),
)
const totp = prepare('added-since.totp', (db, p: Since, { sql }) =>
  db
    .updateTable('second_factors')
    .set((eb) => ({
      totp_secret: null,
      totp_since_ms: null,
      totp_last_step: null,
      totp_name: null,
      further_apps: null,
      version: eb('version', '+', 1),
    }))
    .where('user_id', '=', p.user_id)
    .where(sql<boolean>`coalesce(totp_since_ms, 0) >= ${p.since_ms}`),
)
/** Of codes that an earlier version stored, the time is not known: they count as older than any time but zero. */
const recoveryCodes = prepare('added-since.recoveryCodes', (db, p: Since, { sql }) =>
  db
    .updateTable('second_factors')
    .set((eb) => ({ recovery_hashes: sql.lit('[]'), recovery_since_ms: null, version: eb('version', '+', 1) }))
    .where('user_id', '=', p.user_id)
    .where(sql<boolean>`coalesce(recovery_since_ms, 0) >= ${p.since_ms}`),
)
/** What waits for a code is ended whenever it began. */
const waiting = prepare('added-since.waiting', (db, p: Placeholders<{ user_id: string }>) =>
  db
    .updateTable('second_factors')
    .set((eb) => ({ pending_secret: null, pending_until_ms: null, mail_code: null, version: eb('version', '+', 1) }))
    .where('user_id', '=', p.user_id),
)

/**
 * Returns statements that remove passkeys, linked accounts, second factors and consents that were added at `sinceMs` or
 * later; zero: all of them. Runs after a change of the user in the same commit, so that what is added at once waits.
 */
export function dropAddedSince(userId: string, sinceMs: number): Statement[] {
  const since = { user_id: userId, since_ms: sinceMs }
  return [
    passkeys(since),
    logins(since),
    registrations(since),
    consents(since),
    totp(since),
    recoveryCodes(since),
    waiting({ user_id: userId }),
    ...endWithLastFactor(userId),
  ]
}
