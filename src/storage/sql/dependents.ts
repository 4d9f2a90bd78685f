/**
 * Counts what depends on a user, a client or a scope. Scans whole tables, which is acceptable for an operator's
 * command.
 */
import type { ExpressionBuilder } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Clients } from '../port/clients.ts'
import type { Scopes } from '../port/scopes.ts'
import type { Users } from '../port/users.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Database } from './tables.ts'

type About = Placeholders<{ id: string; now_ms: number }>

/** A grant with a valid refresh token. */
export const living = (eb: ExpressionBuilder<Database, 'grants'>, p: Pick<About, 'now_ms'>) =>
  eb.and([eb('revoked_at_ms', 'is', null), eb('refresh_expires_at_ms', '>', p.now_ms)])

const ofUser = prepare('dependents.ofUser', (db, p: About, { sql }) =>
  db.selectNoFrom(({ selectFrom }) => {
    const count = sql<number>`cast(count(*) as integer)`.as('n')
    return [
      selectFrom('sessions')
        .select(count)
        .where('user_id', '=', p.id)
        .where('expires_at_ms', '>', p.now_ms)
        .as('sessions'),
      selectFrom('grants')
        .select(count)
        .where('user_id', '=', p.id)
        .where((eb) => living(eb, p))
        .as('grants'),
      selectFrom('authorizations').select(count).where('user_id', '=', p.id).as('consents'),
      selectFrom('external_logins').select(count).where('user_id', '=', p.id).as('external_logins'),
    ]
  }),
)
const ofClient = prepare('dependents.ofClient', (db, p: About, { sql }) =>
  db.selectNoFrom(({ selectFrom }) => {
    const count = sql<number>`cast(count(*) as integer)`.as('n')
    return [
      selectFrom('grants')
        .select(count)
        .where('client_id', '=', p.id)
        .where((eb) => living(eb, p))
        .as('grants'),
      selectFrom('authorizations').select(count).where('client_id', '=', p.id).as('consents'),
    ]
  }),
)
/** `named`: the scope as quoted in a stored list. Compares case-sensitively, which `like` does not do everywhere. */
const ofScope = prepare('dependents.ofScope', (db, p: Placeholders<{ named: string; now_ms: number }>, { sql }) =>
  db.selectNoFrom(({ selectFrom }) => {
    const count = sql<number>`cast(count(*) as integer)`.as('n')
    const has = sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`
    return [
      selectFrom('grants')
        .select(count)
        .where(has)
        .where((eb) => living(eb, p))
        .as('grants'),
      selectFrom('authorizations').select(count).where(has).as('consents'),
    ]
  }),
)
const clientsWith = prepare('dependents.clientsWith', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db.selectFrom('clients').select('clients.id').where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`),
)

export async function userDependents(engine: Engine, id: string, nowMs: number): ReturnType<Users['dependents']> {
  const [row] = await engine.read(ofUser({ id, now_ms: nowMs }))
  return {
    sessions: row?.sessions ?? 0,
    grants: row?.grants ?? 0,
    consents: row?.consents ?? 0,
    externalLogins: row?.external_logins ?? 0,
  }
}

export async function clientDependents(engine: Engine, id: string, nowMs: number): ReturnType<Clients['dependents']> {
  const [row] = await engine.read(ofClient({ id, now_ms: nowMs }))
  return { consents: row?.consents ?? 0, grants: row?.grants ?? 0 }
}

export async function scopeDependents(engine: Engine, name: string, nowMs: number): ReturnType<Scopes['dependents']> {
  // Scope names contain neither quotes nor backslashes, so the quoted name matches exactly.
  const named = JSON.stringify(name)
  const [rows, clients] = await Promise.all([
    engine.read(ofScope({ named, now_ms: nowMs })),
    engine.read(clientsWith({ named })),
  ])
  const [row] = rows
  // Sorted here, because collations differ between databases.
  const ids = clients.map(({ id }) => id).sort()
  return { clients: ids, consents: row?.consents ?? 0, grants: row?.grants ?? 0 }
}
