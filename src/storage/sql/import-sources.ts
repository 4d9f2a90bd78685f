/** What an installation was filled from, such as a realm of another system. */
import type { Engine } from '../engine.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type ImportSourcesTable } from './tables.ts'

const sourceOf = prepare('import-sources.byKind', (db, p: Placeholders<{ kind: string }>) =>
  db.selectFrom('import_sources').select('name').where('kind', '=', p.kind),
)
const rememberSource = prepare('import-sources.remember', (db, p: Placeholders<ImportSourcesTable>) =>
  db
    .insertInto('import_sources')
    .values(pick(p, columns.import_sources))
    .onConflict((conflict) => conflict.doNothing()),
)

export function sqlImportSources(engine: Engine) {
  return {
    /** Returns the name of what the installation was filled from, such as a realm; undefined: of nothing of this kind. */
    async source(kind: string): Promise<string | undefined> {
      return (await engine.read(sourceOf({ kind })))[0]?.name
    },
    /** Remembers what the installation is filled from, unless something of the kind is remembered already. Returns what is. */
    async rememberSource(kind: string, name: string, nowMs: number): Promise<string> {
      await engine.commit([rememberSource({ kind, name, since_ms: nowMs })])
      return (await engine.read(sourceOf({ kind })))[0]?.name ?? name
    },
  }
}
