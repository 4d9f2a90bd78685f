/**
 * Scopes and roles that were deleted and that some rows still have. A read takes them from the lists of its rows, so that a
 * deletion holds from its commit on, however many rows there are.
 */
import type { ExpressionBuilder } from 'kysely'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { type Database, textToList } from './tables.ts'

/** No name has a line break. */
const separator = '\n'

/** A column with the names of this kind: null if there are none, which is nearly always. */
export function removedNames<Alias extends string>(kind: 'scope' | 'role', alias: Alias) {
  return (eb: Pick<ExpressionBuilder<Database, 'removals'>, 'selectFrom'>) =>
    eb
      .selectFrom('removals')
      .select(({ fn, val }) => fn<string | null>('string_agg', ['removals.name', val(separator)]).as('names'))
      .where('removals.kind', '=', kind)
      .as(alias)
}

/** Returns a stored list without them. */
export function withoutRemoved(list: string, removed: string | null | undefined): readonly string[] {
  const stored = textToList(list)
  if (removed === null || removed === undefined) return stored
  const names = removed.split(separator)
  return stored.filter((name) => !names.includes(name))
}

const rolesLeaving = prepare('removed-names.roles', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('removals').select('name').where('kind', '=', sql.lit('role')),
)

/** The roles that are being removed from people. */
export async function removedRoles(engine: Engine): Promise<ReadonlySet<string>> {
  return new Set((await engine.read(rolesLeaving({}))).map(({ name }) => name))
}
