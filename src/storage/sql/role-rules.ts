/** What roles include, and who has them without being given them. */
import type { RoleRule } from '../../users/effective-roles.ts'
import type { Engine } from '../engine.ts'
import { raised } from './catalogue.ts'
import { type Placeholders, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import { textToList } from './tables.ts'

const ruled = prepare('role-rules.ruled', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db
    .selectFrom('roles')
    .select(['name', 'includes', 'is_default'])
    .where(sql<boolean>`(is_default = 1 or includes is not null)`),
)

/** By name: the roles that bring others, and those that everybody has. */
export async function readRoleRules(engine: Engine): Promise<ReadonlyMap<string, RoleRule>> {
  return new Map((await engine.read(ruled({}))).map((row) => [row.name, toRule(row)]))
}

export function toRule(row: { name: string; includes: string | null; is_default: number }): RoleRule {
  const { name, includes, is_default } = row
  return { name, includes: includes === null ? [] : textToList(includes), isDefault: is_default === 1 }
}

type Rule = { name: string; includes: string | null; is_default: number }
export const setRule = prepare('role-rules.set', (db, p: Placeholders<Rule>) =>
  db.updateTable('roles').set({ includes: p.includes, is_default: p.is_default }).where('name', '=', p.name),
)

/** `named`: the role as quoted in a stored list. */
type Taken = { named: string; followed: string; preceded: string }
const listWithout = (column: string, p: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<string>`replace(replace(replace(${sql.ref(column)}, ${p.followed}, ''), ${p.preceded}, ''), ${p.named}, '')`
const has = (column: string, { named }: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<boolean>`replace(${sql.ref(column)}, ${named}, '') <> ${sql.ref(column)}`

const takeFromGroups = prepare('role-rules.takeFromGroups', (db, p: Placeholders<Taken>, { sql }) =>
  db
    .updateTable('groups')
    .set({ roles: listWithout('roles', p, sql), version: sql<number>`version + 1` })
    .where(has('roles', p, sql)),
)
const takeFromRoles = prepare('role-rules.takeFromRoles', (db, p: Placeholders<Taken>, { sql }) =>
  db
    .updateTable('roles')
    .set({ includes: listWithout('includes', p, sql) })
    .where(has('includes', p, sql)),
)

/** Takes a role that the commit deletes from groups and from the roles that include it. */
export function takingFromCatalogue(role: string): Statement[] {
  const named = JSON.stringify(role)
  const taken = { named, followed: `${named},`, preceded: `,${named}` }
  return [takeFromGroups(taken), takeFromRoles(taken), raised()]
}
