/** Removes expired keys. */
import { publicHalfKeptMs } from '../port/keys.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

/** The public half of a signing key is kept. */
const removeExpired = prepare(
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
export function removeKeys(nowMs: number, rows: number): Statement[] {
  return [
    removeExpired({ now_ms: nowMs, kept_since_ms: nowMs - publicHalfKeptMs, rows }),
    removePrivateHalves({ now_ms: nowMs }),
  ]
}
