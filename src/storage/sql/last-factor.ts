/** What ends with a person's last second factor: recovery codes, and the browsers in which none was asked for. */
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

type OfUser = Placeholders<{ user_id: string }>

/** Recovery codes stand in for a factor, and are none. */
const endRecoveryCodes = prepare('last-factor.endRecoveryCodes', (db, p: OfUser, { sql }) =>
  db
    .updateTable('second_factors')
    .set((eb) => ({ recovery_hashes: sql.lit('[]'), recovery_since_ms: null, version: eb('version', '+', 1) }))
    .where('user_id', '=', p.user_id)
    .where('totp_secret', 'is', null)
    .where('recovery_hashes', '<>', sql.lit('[]'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').select('id').where('passkeys.user_id', '=', p.user_id))),
    ),
)
const stopRemembering = prepare('last-factor.stopRemembering', (db, p: OfUser) =>
  db
    .updateTable('known_browsers')
    .set({ second_factor_until_ms: null })
    .where('user_id', '=', p.user_id)
    .where('second_factor_until_ms', 'is not', null),
)
const stopRememberingNone = prepare('last-factor.stopRememberingNone', (db, p: OfUser) =>
  db
    .updateTable('known_browsers')
    .set({ second_factor_until_ms: null })
    .where('user_id', '=', p.user_id)
    .where('second_factor_until_ms', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('second_factors')
            .select('second_factors.user_id')
            .where('second_factors.user_id', '=', p.user_id)
            .where('totp_secret', 'is not', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').select('id').where('passkeys.user_id', '=', p.user_id))),
    ),
)

/** Follows a removal in its commit. Changes nothing while the person has an authenticator app or a passkey. */
export function endWithLastFactor(userId: string): Statement[] {
  const user = { user_id: userId }
  return [endRecoveryCodes(user), stopRememberingNone(user)]
}

/** The person is asked for a second factor in every browser again. */
export function forgetRemembered(userId: string): Statement {
  return stopRemembering({ user_id: userId })
}
