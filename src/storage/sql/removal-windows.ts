/** Takes what was deleted from the rows of large tables, a window along the primary key at a time. */
import { roleKey } from '../../users/search.ts'
import type { Engine } from '../engine.ts'
import type { Removal } from '../port/configuration.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import type { RemovalsTable } from './tables.ts'

/** Rows of a commit. */
export const rowsAtOnce = 1000

type Key = { kind: string; name: string }
type Place = Pick<RemovalsTable, 'part' | 'after_id'>

const move = prepare('removal-windows.move', (db, p: Placeholders<Key & Place>) =>
  db
    .updateTable('removals')
    .set({ part: p.part, after_id: p.after_id })
    .where('kind', '=', p.kind)
    .where('name', '=', p.name),
)
export const end = prepare('removal-windows.end', (db, p: Placeholders<Key>) =>
  db.deleteFrom('removals').where('kind', '=', p.kind).where('name', '=', p.name),
)

const lastOf = (name: string, table: 'grants' | 'authorizations' | 'users') =>
  prepare(name, (db, p: Placeholders<{ after: string }>, { sql }) =>
    db
      .selectFrom((eb) =>
        eb.selectFrom(table).select('id').where('id', '>', p.after).orderBy('id').limit(sql.lit(rowsAtOnce)).as('w'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.max<string | null>('w.id').as('last')]),
  )
const lasts = {
  grants: lastOf('removal-windows.lastGrant', 'grants'),
  authorizations: lastOf('removal-windows.lastConsent', 'authorizations'),
  users: lastOf('removal-windows.lastUser', 'users'),
}
type Part = keyof typeof lasts

/** `named`: the name as quoted in a stored list, compared case-sensitively. Names have neither quotes nor backslashes. */
type Taken = { named: string; followed: string; preceded: string }
type InWindow = Taken & { after: string; last: string }
const listWithout = (column: 'scopes' | 'roles', p: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<string>`replace(replace(replace(${sql.ref(column)}, ${p.followed}, ''), ${p.preceded}, ''), ${p.named}, '')`
const has = (column: 'scopes' | 'roles', p: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<boolean>`replace(${sql.ref(column)}, ${p.named}, '') <> ${sql.ref(column)}`

const fromGrants = prepare('removal-windows.fromGrants', (db, p: Placeholders<InWindow>, { sql }) =>
  db
    .updateTable('grants')
    .set({ scopes: listWithout('scopes', p, sql) })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('scopes', p, sql)),
)
/** The id in place of the hash of the scopes: no request finds the consent. */
const fromConsents = prepare('removal-windows.fromConsents', (db, p: Placeholders<InWindow>, { sql }) =>
  db
    .updateTable('authorizations')
    .set({ scopes: listWithout('scopes', p, sql), scope_set: sql<string>`id` })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('scopes', p, sql)),
)
const fromUsers = prepare('removal-windows.fromUsers', (db, p: Placeholders<InWindow & { now_ms: number }>, { sql }) =>
  db
    .updateTable('users')
    .set({ roles: listWithout('roles', p, sql), updated_at_ms: p.now_ms, version: sql<number>`version + 1` })
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where(has('roles', p, sql)),
)
const keysOfRole = prepare(
  'removal-windows.keysOfRole',
  (db, p: Placeholders<{ key: string; after: string; last: string }>) =>
    db
      .deleteFrom('user_search_keys')
      .where('key', '=', p.key)
      .where('user_id', '>', p.after)
      .where('user_id', '<=', p.last),
)

/** The tables that have it, in the order of the work; a client, a group or an attribute is found by an index. */
const parts: Readonly<Record<Removal['kind'], readonly Part[]>> = {
  client: [],
  group: [],
  scope: ['grants', 'authorizations'],
  role: ['users'],
  attribute: [],
}

/** Returns the table that the work begins with; empty: rows are found by an index. */
export const firstPartOf = (kind: Removal['kind']): string => parts[kind][0] ?? ''

export async function removeWindow(engine: Engine, row: RemovalsTable): Promise<RemovalsTable | undefined> {
  const { kind, part, after_id: after } = row
  const [window] = await engine.read(lasts[part as Part]({ after }))
  const last = window?.last ?? null
  const done = last === null ? [] : taking(row, last)
  const isEnd = Number(window?.rows ?? 0) < rowsAtOnce
  if (last !== null && !isEnd) {
    const next = { ...row, after_id: last }
    await engine.commit([...done, move(next)])
    return next
  }
  const following = parts[kind as Removal['kind']]
  const nextPart = following[following.indexOf(part as Part) + 1]
  const next = nextPart === undefined ? undefined : { ...row, part: nextPart, after_id: '' }
  await engine.commit([...done, next === undefined ? end(row) : move(next)])
  return next
}

/** Returns the statements that take it from the rows of a window. */
function taking({ kind, name, at_ms: now_ms, part, after_id: after }: RemovalsTable, last: string): Statement[] {
  const named = JSON.stringify(name)
  const window = { named, followed: `${named},`, preceded: `,${named}`, after, last }
  if (part === 'grants') return [fromGrants(window)]
  if (part === 'authorizations') return [fromConsents(window)]
  if (kind !== 'role') return []
  return [fromUsers({ ...window, now_ms }), keysOfRole({ key: roleKey(name), after, last })]
}
