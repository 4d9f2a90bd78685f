import { type Placeholders, prepare } from './prepared.ts'
import type { Kind, Removal, Window } from './sweep-kind.ts'

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

/** Initial access tokens, and registrations with their clients. */
export const registrationKinds: readonly Kind[] = [
  {
    window: prepare('sweep.window.registration_tokens', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('registration_tokens')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.registration_tokens', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('registration_tokens').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
  },
  {
    window: prepare('sweep.window.client_registrations', (db, p: Placeholders<Window>) =>
      db
        .selectFrom('client_registrations')
        .select(['id', 'expires_at_ms'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.rows),
    ),
    remove: prepare('sweep.remove.client_registrations', (db, p: Placeholders<Removal>, { isOneOf }) =>
      db.deleteFrom('client_registrations').where(isOneOf('id', p.ids)).where('expires_at_ms', '<=', p.now_ms),
    ),
    first: (values) => [removeClients(values)],
  },
]
