import { importKeptMs } from '../port/imports.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

type Began = { began_ms: number }

const failures = prepare('sweep.remove.import_failures', (db, p: Placeholders<Began & { rows: number }>) =>
  db
    .deleteFrom('import_failures')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('import_id', 'record'),
        'in',
        db
          .selectFrom('imports')
          .innerJoin('import_failures', 'import_failures.import_id', 'imports.id')
          .where('started_at_ms', '<=', p.began_ms)
          .select(['import_failures.import_id', 'import_failures.record'])
          .limit(p.rows)
          .$asTuple('import_id', 'record'),
      ),
    ),
)
const imports = prepare('sweep.remove.imports', (db, p: Placeholders<Began>) =>
  db
    .deleteFrom('imports')
    .where('started_at_ms', '<=', p.began_ms)
    .where('id', 'not in', db.selectFrom('import_failures').select('import_id')),
)

/** Returns statements that remove imports which did not end in time, after at most `rows` of what they left out. */
export function forgetAbandonedImports(nowMs: number, rows: number): Statement[] {
  const began_ms = nowMs - importKeptMs
  return [failures({ began_ms, rows }), imports({ began_ms })]
}
