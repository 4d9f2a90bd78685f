import type { Scope } from '../../protocol/scope.ts'
import type { Engine } from '../engine.ts'
import type { Scopes } from '../port/scopes.ts'
import { scopeDependents } from './dependents.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { columns, listToText, type Prefixed, prefixed, type ScopesTable, textToList } from './tables.ts'

export type ScopeRow = Prefixed<'sc', ScopesTable>
export const scopeColumns = prefixed('scopes', 'sc', columns.scopes)

const byNames = prepare('scopes.byNames', (db, p: Placeholders<{ names: string }>, { isOneOf }) =>
  db.selectFrom('scopes').select(scopeColumns).where(isOneOf('name', p.names)),
)
const all = prepare('scopes.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('scopes').select(scopeColumns),
)
const insertScope = prepare('scopes.insertScope', (db, p: Placeholders<ScopesTable>) =>
  db
    .insertInto('scopes')
    .values(pick(p, columns.scopes))
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteScope = prepare('scopes.deleteScope', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('scopes').where('name', '=', p.name),
)

export function sqlScopes(engine: Engine): Scopes {
  return {
    async findMany(names) {
      return names.length === 0 ? [] : (await engine.read(byNames({ names: listToText(names) }))).map(toScope)
    },
    async list() {
      // Sorted here, because collations differ between databases.
      const rows = await engine.read(all({}))
      return rows.sort((a, b) => (a.sc_name < b.sc_name ? -1 : 1)).map(toScope)
    },
    async create(scope, events) {
      const insertion = mustChange(
        insertScope({
          name: scope.name,
          display_name: scope.displayName,
          description: scope.description,
          resources: listToText(scope.resources),
          created_at_ms: scope.createdAtMs,
        }),
      )
      return (await engine.commit([insertion], events)).applied
    },
    dependents: (name, nowMs) => scopeDependents(engine, name, nowMs),
    async delete(name, events) {
      return (await engine.commit([mustChange(deleteScope({ name }))], events)).applied
    },
  }
}

export function toScope(row: ScopeRow): Scope {
  return {
    name: row.sc_name,
    displayName: row.sc_display_name,
    description: row.sc_description,
    resources: textToList(row.sc_resources),
    createdAtMs: row.sc_created_at_ms,
  }
}
