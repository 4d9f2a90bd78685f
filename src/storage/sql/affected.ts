/** What changes of configuration end, before they are applied. */
import type { Engine } from '../engine.ts'
import type { Affected, Ending } from '../port/configuration.ts'
import { living } from './dependents.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { textToList } from './tables.ts'

type Owned = { readonly id: string; readonly user_id: string }

const consentsOfClient = prepare('configuration.consentsOfClient', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('authorizations').select(['id', 'user_id', 'scopes']).where('client_id', '=', p.id),
)
const grantsOfClient = prepare('configuration.grantsOfClient', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'user_id'])
    .where('client_id', '=', p.id)
    .where((eb) => living(eb, p)),
)
const consentsWith = prepare('configuration.consentsWith', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db
    .selectFrom('authorizations')
    .select(['id', 'user_id'])
    .where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`),
)
const grantsWith = prepare(
  'configuration.grantsWith',
  (db, p: Placeholders<{ named: string; now_ms: number }>, { sql }) =>
    db
      .selectFrom('grants')
      .select(['id', 'user_id'])
      .where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`)
      .where((eb) => living(eb, p)),
)
const sessionsOfUser = prepare('configuration.sessionsOfUser', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db.selectFrom('sessions').select(['id', 'user_id']).where('user_id', '=', p.id).where('expires_at_ms', '>', p.now_ms),
)
const consentsOfUser = prepare('configuration.consentsOfUser', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('authorizations').select(['id', 'user_id']).where('user_id', '=', p.id),
)
const grantsOfUser = prepare('configuration.grantsOfUser', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'user_id'])
    .where('user_id', '=', p.id)
    .where((eb) => living(eb, p)),
)

const holders = prepare('configuration.holders', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db.selectFrom('users').select(['id', 'id as user_id']).where(sql<boolean>`replace(roles, ${p.named}, '') <> roles`),
)

function reads(engine: Engine, ending: Exclude<Ending, { of: 'role' }>, nowMs: number): Promise<readonly Owned[]>[] {
  const none = Promise.resolve([])
  switch (ending.of) {
    case 'client': {
      const { id, consents, grants } = ending
      const found = engine
        .read(consentsOfClient({ id }))
        .then((rows) =>
          consents === 'all'
            ? rows
            : rows.filter((row) => textToList(row.scopes).some((one) => consents.includes(one))),
        )
      return [found, grants ? engine.read(grantsOfClient({ id, now_ms: nowMs })) : none, none]
    }
    case 'scope': {
      // Scope names contain neither quotes nor backslashes, so the quoted name matches exactly.
      const named = JSON.stringify(ending.name)
      return [engine.read(consentsWith({ named })), engine.read(grantsWith({ named, now_ms: nowMs })), none]
    }
    case 'user': {
      const { id, isDeleted } = ending
      const sessions = engine.read(sessionsOfUser({ id, now_ms: nowMs }))
      if (!isDeleted) return [none, none, sessions]
      return [engine.read(consentsOfUser({ id })), engine.read(grantsOfUser({ id, now_ms: nowMs })), sessions]
    }
  }
}

/** Returns what is valid at `nowMs` and would end. Reads whole tables. */
export async function affectedBy(engine: Engine, ending: Ending, nowMs: number): Promise<Affected> {
  if (ending.of === 'role') {
    const found = await engine.read(holders({ named: JSON.stringify(ending.name) }))
    return { consents: [], grants: [], sessions: [], people: found.map(({ id }) => id) }
  }
  const [consents, grants, sessions] = await Promise.all(reads(engine, ending, nowMs))
  const ids = (rows: readonly Owned[] = []) => rows.map(({ id }) => id)
  const people = [consents, grants, sessions].flatMap((rows = []) => rows.map((row) => row.user_id))
  return { consents: ids(consents), grants: ids(grants), sessions: ids(sessions), people: [...new Set(people)] }
}
