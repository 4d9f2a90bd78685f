/** Consents that operators stored. */
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Engine } from '../engine.ts'
import { authorizationColumns, toAuthorization } from './authorization-row.ts'
import { type Placeholders, prepare } from './prepared.ts'

/** A consent that the person gave becomes one of the operator. */
export const takeOver = prepare('operator-consents.takeOver', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .updateTable('authorizations')
    .set({ by_operator: sql.lit(1) })
    .where('id', '=', p.id),
)
/** The same for one of these scopes, whichever it is. */
export const takeOverSet = prepare(
  'operator-consents.takeOverSet',
  (db, p: Placeholders<{ user_id: string; client_id: string; scope_set: string }>, { sql }) =>
    db
      .updateTable('authorizations')
      .set({ by_operator: sql.lit(1) })
      .where('user_id', '=', p.user_id)
      .where('client_id', '=', p.client_id)
      .where('scope_set', '=', p.scope_set),
)
const byOperator = prepare(
  'operator-consents.byOperator',
  (db, p: Placeholders<{ user_id: string; client_id: string }>, { sql }) =>
    db
      .selectFrom('authorizations')
      .select(authorizationColumns)
      .where('user_id', '=', p.user_id)
      .where('client_id', '=', p.client_id)
      .where('by_operator', '=', sql.lit(1))
      .orderBy('created_at_ms')
      .orderBy('id'),
)

/** Returns the oldest for these scopes or more; undefined: there is none. */
export async function consentOfOperator(
  engine: Engine,
  userId: string,
  clientId: string,
  scopes: readonly string[],
): Promise<Authorization | undefined> {
  const rows = await engine.read(byOperator({ user_id: userId, client_id: clientId }))
  return rows.map(toAuthorization).find((one) => scopes.every((scope) => one.scopes.includes(scope)))
}
