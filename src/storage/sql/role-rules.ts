/** What roles include, and who has them without being given them. */
import type { RoleRule } from '../../users/effective-roles.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
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
