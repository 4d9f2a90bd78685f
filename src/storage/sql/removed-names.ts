/**
 * Scopes and roles that were deleted and that some rows still have. A read takes them from the lists of its rows, so that a
 * deletion holds from its commit on, however many rows there are.
 */
import type { ExpressionBuilder } from 'kysely'
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
