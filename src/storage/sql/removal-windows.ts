/** What is walked in windows along the primary key, to take a scope or a role from the rows that list it. */
import { roleKey } from '../../users/search.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import type { RemovalsTable } from './tables.ts'

/** Rows of a commit. */
export const rowsAtOnce = 1000

const lastOf = (name: string, table: 'grants' | 'authorizations' | 'users') =>
  prepare(name, (db, p: Placeholders<{ after: string }>, { sql }) =>
    db
      .selectFrom((eb) =>
        eb.selectFrom(table).select('id').where('id', '>', p.after).orderBy('id').limit(sql.lit(rowsAtOnce)).as('w'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.max<string | null>('w.id').as('last')]),
  )
/** The last row of the next window, by its table. */
export const lasts = {
  grants: lastOf('removals.lastGrant', 'grants'),
  authorizations: lastOf('removals.lastConsent', 'authorizations'),
  users: lastOf('removals.lastUser', 'users'),
}
export type Part = keyof typeof lasts

/** `named`: the name as quoted in a stored list, compared case-sensitively. Names have neither quotes nor backslashes. */
type Taken = { named: string; followed: string; preceded: string }
type InWindow = Taken & { after: string; last: string }
const listWithout = (column: 'scopes' | 'roles', p: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<string>`replace(replace(replace(${sql.ref(column)}, ${p.followed}, ''), ${p.preceded}, ''), ${p.named}, '')`
const has = (column: 'scopes' | 'roles', p: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<boolean>`replace(${sql.ref(column)}, ${p.named}, '') <> ${sql.ref(column)}`

const fromGrants = prepare('removals.fromGrants', (db, p: Placeholders<InWindow>, { sql }) =>
  db
    .updateTable('grants')
    .set({ scopes: listWithout('scopes', p, sql) })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('scopes', p, sql)),
)
/** The id in place of the hash of the scopes: no request finds the consent. */
const fromConsents = prepare('removals.fromConsents', (db, p: Placeholders<InWindow>, { sql }) =>
  db
    .updateTable('authorizations')
    .set({ scopes: listWithout('scopes', p, sql), scope_set: sql<string>`id` })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('scopes', p, sql)),
)
const fromUsers = prepare('removals.fromUsers', (db, p: Placeholders<InWindow & { now_ms: number }>, { sql }) =>
  db
    .updateTable('users')
    .set({ roles: listWithout('roles', p, sql), updated_at_ms: p.now_ms, version: sql<number>`version + 1` })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('roles', p, sql)),
)
const keysOfRole = prepare('removals.keysOfRole', (db, p: Placeholders<{ key: string; after: string; last: string }>) =>
  db
    .deleteFrom('user_search_keys')
    .where('key', '=', p.key)
    .where('user_id', '>', p.after)
    .where('user_id', '<=', p.last),
)

/** Returns the statements that take it from the rows of a window. */
export function taking({ kind, name, at_ms: now_ms, part, after_id: after }: RemovalsTable, last: string): Statement[] {
  const named = JSON.stringify(name)
  const window = { named, followed: `${named},`, preceded: `,${named}`, after, last }
  if (part === 'grants') return [fromGrants(window)]
  if (part === 'authorizations') return [fromConsents(window)]
  if (kind !== 'role') return []
  return [fromUsers({ ...window, now_ms }), keysOfRole({ key: roleKey(name), after, last })]
}
