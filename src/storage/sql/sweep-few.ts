/** Removes from tables of few rows what has expired: keys, imports that did not end, counts of activity, and consents of imports by an index. */
import type { Engine } from '../engine.ts'
import { importKeptMs } from '../port/imports.ts'
import { publicHalfKeptMs } from '../port/keys.ts'
import { activityKeptMs } from '../port/statistics.ts'
import { forgetKeptConsents } from './forgotten-consents.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

/** A row an hour. */
const removeActivity = prepare('sweep.removeActivity', (db, p: Placeholders<{ before_ms: number }>) =>
  db.deleteFrom('activity_hours').where('hour_ms', '<', p.before_ms),
)

/** A row for a client and a day. */
const removeClientActivity = prepare('sweep.removeClientActivity', (db, p: Placeholders<{ before_ms: number }>) =>
  db.deleteFrom('client_activity').where('day_ms', '<', p.before_ms),
)

/** The public half of a signing key is kept. */
const removeExpiredKeys = prepare(
  'sweep.removeKeys',
  (db, p: Placeholders<{ now_ms: number; kept_since_ms: number; rows: number }>) =>
    db.deleteFrom('keys').where(
      'id',
      'in',
      db
        .selectFrom('keys')
        .select('id')
        .where('expires_at_ms', '<=', p.now_ms)
        .where(({ or, eb }) => or([eb('use', '<>', 'sign'), eb('expires_at_ms', '<=', p.kept_since_ms)]))
        .limit(p.rows),
    ),
)
/** Another key may then be the first one of its algorithm. */
const removePrivateHalves = prepare('sweep.removePrivateHalves', (db, p: Placeholders<{ now_ms: number }>) =>
  db
    .updateTable('keys')
    .set({ wrapped: '', first_of: null })
    .where('use', '=', 'sign')
    .where('expires_at_ms', '<=', p.now_ms)
    .where('wrapped', '<>', ''),
)

/** They scan a table of a few rows. */
function removeKeys(nowMs: number, rows: number): Statement[] {
  return [
    removeExpiredKeys({ now_ms: nowMs, kept_since_ms: nowMs - publicHalfKeptMs, rows }),
    removePrivateHalves({ now_ms: nowMs }),
  ]
}

type Began = { began_ms: number }

const removeFailures = prepare('sweep.remove.import_failures', (db, p: Placeholders<Began & { rows: number }>) =>
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
const removeImports = prepare('sweep.remove.imports', (db, p: Placeholders<Began>) =>
  db
    .deleteFrom('imports')
    .where('started_at_ms', '<=', p.began_ms)
    .where('id', 'not in', db.selectFrom('import_failures').select('import_id')),
)

/**
 * Returns statements that remove imports which did not end in time, after at most `rows` of what they left out, and at most `rows`
 * consents that waited too long.
 */
function forgetAbandonedImports(nowMs: number, rows: number): Statement[] {
  const began_ms = nowMs - importKeptMs
  return [removeFailures({ began_ms, rows }), removeImports({ began_ms }), forgetKeptConsents(nowMs, rows)]
}

const dueActivity = prepare('sweep.dueActivity', (db, p: Placeholders<{ before_ms: number }>) =>
  db.selectFrom('activity_hours').select('hour_ms').where('hour_ms', '<', p.before_ms).limit(1),
)
const dueClientActivity = prepare('sweep.dueClientActivity', (db, p: Placeholders<{ before_ms: number }>) =>
  db.selectFrom('client_activity').select('day_ms').where('day_ms', '<', p.before_ms).limit(1),
)
const dueImport = prepare('sweep.dueImport', (db, p: Placeholders<{ began_ms: number }>) =>
  db.selectFrom('imports').select('id').where('started_at_ms', '<=', p.began_ms).limit(1),
)
const dueConsent = prepare('sweep.dueConsent', (db, p: Placeholders<{ since_ms: number }>) =>
  db.selectFrom('imported_consents').select('user_id').where('since_ms', '<=', p.since_ms).limit(1),
)
const dueKey = prepare('sweep.dueKey', (db, p: Placeholders<{ now_ms: number; kept_since_ms: number }>) =>
  db
    .selectFrom('keys')
    .select('id')
    .where('expires_at_ms', '<=', p.now_ms)
    .where(({ or, eb }) =>
      or([eb('use', '<>', 'sign'), eb('wrapped', '<>', ''), eb('expires_at_ms', '<=', p.kept_since_ms)]),
    )
    .limit(1),
)

/** Returns how many rows changed. Looks first: even a commit that changes nothing wakes the thread that writes. */
export async function sweepFew(engine: Engine, nowMs: number, limit: number): Promise<number> {
  const before = { before_ms: nowMs - activityKeptMs }
  const found = await Promise.all([
    engine.read(dueKey({ now_ms: nowMs, kept_since_ms: nowMs - publicHalfKeptMs })),
    engine.read(dueImport({ began_ms: nowMs - importKeptMs })),
    engine.read(dueActivity(before)),
    engine.read(dueClientActivity(before)),
    engine.read(dueConsent({ since_ms: nowMs - importKeptMs })),
  ])
  if (found.every((rows) => rows.length === 0)) return 0
  const { changes } = await engine.commit([
    ...removeKeys(nowMs, limit),
    ...forgetAbandonedImports(nowMs, limit),
    removeActivity(before),
    removeClientActivity(before),
  ])
  return changes.reduce((sum, count) => sum + count, 0)
}
