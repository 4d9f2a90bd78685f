/**
 * The version of what is looked up for every person, such as groups. A change is decided on all of it, and commits only on the version
 * that it was decided on: so names stay unique, and nothing is ever inside itself.
 */
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

const name = 'catalogue'

export const readVersion = prepare('catalogue.version', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('catalogue').select('version'),
)
const insertFirst = prepare('catalogue.insertFirst', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db
    .insertInto('catalogue')
    .values({ name: p.name, version: sql.lit(1) })
    .onConflict((conflict) => conflict.doNothing()),
)
const raise = prepare('catalogue.raise', (db, p: Placeholders<{ name: string; version: number }>, { sql }) =>
  db
    .updateTable('catalogue')
    .set({ version: sql<number>`version + 1` })
    .where('name', '=', p.name)
    .where('version', '=', p.version),
)

/** Returns the statement that a change begins with. `version`: the one that it was decided on; 0: there was none. */
export function raisedFrom(version: number): Statement {
  return mustChange(version === 0 ? insertFirst({ name }) : raise({ name, version }))
}
