import type { Engine } from '../engine.ts'
import type { AccessTokens } from '../port/access-tokens.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import type { RevokedAccessTokensTable } from './tables.ts'

/** Returns a row if the token is valid: it was not revoked, and its grant, user and consent still exist. */
const standing = prepare('access-tokens.standing', (db, p: Placeholders<{ jti: string; grant_id: string }>) =>
  db
    .selectFrom('grants')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select('grants.id')
    .where('grants.id', '=', p.grant_id)
    .where('grants.revoked_at_ms', 'is', null)
    .where(({ exists, selectFrom, or, eb }) =>
      or([
        eb('grants.authorization_id', 'is', null),
        exists(
          selectFrom('authorizations')
            .select('authorizations.id')
            .whereRef('authorizations.id', '=', 'grants.authorization_id'),
        ),
      ]),
    )
    .where(({ exists, selectFrom, not }) =>
      not(exists(selectFrom('revoked_access_tokens').select('jti').where('jti', '=', p.jti))),
    ),
)
const insertRevoked = prepare('access-tokens.insertRevoked', (db, p: Placeholders<RevokedAccessTokensTable>) =>
  db
    .insertInto('revoked_access_tokens')
    .values(pick(p, ['jti', 'expires_at_ms']))
    .onConflict((conflict) => conflict.doNothing()),
)

export function sqlAccessTokens(engine: Engine): AccessTokens {
  return {
    async revoke(jti, expiresAtMs, events) {
      await engine.commit([insertRevoked({ jti, expires_at_ms: expiresAtMs })], events)
    },
    async isRevoked(jti, grantId) {
      return (await engine.read(standing({ jti, grant_id: grantId }))).length === 0
    },
  }
}
