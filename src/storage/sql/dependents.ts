/** Counts what depends on a user, a client or a scope: of large tables a window at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Engine } from '../engine.ts'
import type { FewDependents } from '../port/clients.ts'
import { namedHoldersAtMost, type UserDependents } from '../port/users.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
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
/** Rows counted at once: few enough not to delay requests noticeably. */
const windowRows = 2000
/** The grants and consents of a client with up to so many are counted by its index, others in windows of the whole table. */
const rowsOfFewAtMost = 5000

const fewGrantsOf = prepare('dependents.fewGrantsOf', (db, p: About, { sql }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('grants')
        .select((grant) => grant.case().when(living(grant, p)).then(sql.lit(1)).else(sql.lit(0)).end().as('counted'))
        .where('client_id', '=', p.id)
        .limit(sql.lit(rowsOfFewAtMost))
        .as('few'),
    )
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number | null>('few.counted').as('counted')]),
)
const fewConsentsOf = prepare('dependents.fewConsentsOf', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('authorizations')
        .select('id')
        .where('client_id', '=', p.id)
        .limit(sql.lit(rowsOfFewAtMost))
        .as('few'),
    )
    .select(({ fn }) => fn.countAll<number>().as('rows')),
)
/** `named`: a scope as quoted in a stored list, compared case-sensitively, which `like` does not do everywhere; empty: any. */
type Window = { after: string; client_id: string; named: string; now_ms: number }
const isAbout = (p: Placeholders<Window>, { sql }: Tools) =>
  sql<boolean>`((${p.client_id} = '' or client_id = ${p.client_id}) and (${p.named} = '' or replace(scopes, ${p.named}, '') <> scopes))`
const windowOf = (name: string, table: 'grants' | 'authorizations') =>
  prepare(name, (db, p: Placeholders<Window>, tools) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom(table)
          .select([
            'id',
            tools.sql<number>`case when ${isAbout(p, tools)} and ${
              table === 'grants'
                ? tools.sql`revoked_at_ms is null and refresh_expires_at_ms > ${p.now_ms}`
                : tools.sql`true`
            } then 1 else 0 end`.as('counted'),
          ])
          .where('id', '>', p.after)
          .orderBy('id')
          .limit(tools.sql.lit(windowRows))
          .as('w'),
      )
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        fn.sum<number | null>('w.counted').as('counted'),
        fn.max<string | null>('w.id').as('last'),
      ]),
  )
const windows = {
  grants: windowOf('dependents.grants', 'grants'),
  consents: windowOf('dependents.consents', 'authorizations'),
}
type OfPeople = { after: string; named: string }
/** Compared as a window of grants is. */
const hasRole = (p: Placeholders<Pick<OfPeople, 'named'>>, { sql }: Tools) =>
  sql<boolean>`replace(roles, ${p.named}, '') <> roles`
const windowOfPeople = prepare('dependents.people', (db, p: Placeholders<OfPeople>, tools) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('users')
        .select(['id', tools.sql<number>`case when ${hasRole(p, tools)} then 1 else 0 end`.as('counted')])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(tools.sql.lit(windowRows))
        .as('w'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('rows'),
      fn.sum<number | null>('w.counted').as('counted'),
      fn.max<string | null>('w.id').as('last'),
    ]),
)
const namesOfHolders = prepare('dependents.namesOfHolders', (db, p: Placeholders<OfPeople & { last: string }>, tools) =>
  db
    .selectFrom('users')
    .select('name')
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(hasRole(p, tools))
    .limit(tools.sql.lit(namedHoldersAtMost)),
)
const clientsWith = prepare('dependents.clientsWith', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db.selectFrom('clients').select('clients.id').where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`),
)

export async function userDependents(engine: Engine, id: string, nowMs: number): Promise<UserDependents> {
  const [row] = await engine.read(ofUser({ id, now_ms: nowMs }))
  return {
    sessions: row?.sessions ?? 0,
    grants: row?.grants ?? 0,
    consents: row?.consents ?? 0,
    externalLogins: row?.external_logins ?? 0,
  }
}

type Counted = { readonly rows: number; readonly counted: number | null; readonly last: string | null }

/** Counts in windows, with other work in between. */
async function countAll(
  engine: Engine,
  table: keyof typeof windows,
  about: { readonly clientId?: string; readonly named?: string; readonly nowMs: number },
): Promise<number> {
  const { clientId: client_id = '', named = '', nowMs: now_ms } = about
  let count = 0
  for (let after: string | null = ''; after !== null; ) {
    const rows: readonly Counted[] = await engine.read(windows[table]({ after, client_id, named, now_ms }))
    const [row] = rows
    count += Number(row?.counted ?? 0)
    after = Number(row?.rows ?? 0) < windowRows ? null : (row?.last ?? null)
    await nextTurn()
  }
  return count
}

/** Reads at most 5,000 of each. */
export async function fewDependents(engine: Engine, id: string, nowMs: number): Promise<FewDependents> {
  const [[grants], [consents]] = await Promise.all([
    engine.read(fewGrantsOf({ id, now_ms: nowMs })),
    engine.read(fewConsentsOf({ id })),
  ])
  const rows = [grants, consents].map((row) => Number(row?.rows ?? 0))
  return {
    consents: Number(consents?.rows ?? 0),
    grants: Number(grants?.counted ?? 0),
    isExact: rows.every((count) => count < rowsOfFewAtMost),
  }
}

export async function clientDependents(engine: Engine, id: string, nowMs: number) {
  const [[grants], [consents]] = await Promise.all([
    engine.read(fewGrantsOf({ id, now_ms: nowMs })),
    engine.read(fewConsentsOf({ id })),
  ])
  const hasFew = (row: { readonly rows: number } | undefined) => Number(row?.rows ?? 0) < rowsOfFewAtMost
  const about = { clientId: id, nowMs }
  return {
    consents: hasFew(consents) ? Number(consents?.rows ?? 0) : await countAll(engine, 'consents', about),
    grants: hasFew(grants) ? Number(grants?.counted ?? 0) : await countAll(engine, 'grants', about),
  }
}

export async function scopeDependents(engine: Engine, name: string, nowMs: number) {
  // Scope names contain neither quotes nor backslashes, so the quoted name matches exactly.
  const named = JSON.stringify(name)
  const clients = await engine.read(clientsWith({ named }))
  const consents = await countAll(engine, 'consents', { named, nowMs })
  const grants = await countAll(engine, 'grants', { named, nowMs })
  // Sorted here, because collations differ between databases.
  return { clients: clients.map(({ id }) => id).sort(), consents, grants }
}

export async function roleDependents(engine: Engine, name: string) {
  const named = JSON.stringify(name)
  const users: string[] = []
  let count = 0
  for (let after: string | null = ''; after !== null; ) {
    const rows: readonly Counted[] = await engine.read(windowOfPeople({ after, named }))
    const [row] = rows
    const [found, last]: [number, string | null] = [Number(row?.counted ?? 0), row?.last ?? null]
    if (found > 0 && last !== null && users.length < namedHoldersAtMost) {
      for (const { name } of await engine.read(namesOfHolders({ after, last, named }))) users.push(name)
    }
    count += found
    after = Number(row?.rows ?? 0) < windowRows ? null : last
    await nextTurn()
  }
  return { count, users: users.slice(0, namedHoldersAtMost).sort() }
}
