/** The checkpoints of the audit trail. */
import type { Engine } from '../engine.ts'
import type { AuditCheckpoint } from '../port/audit.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { type AuditCheckpointsTable, columns } from './tables.ts'

const insert = prepare('audit-checkpoints.insert', (db, p: Placeholders<AuditCheckpointsTable>) =>
  db
    .insertInto('audit_checkpoints')
    .values(pick(p, columns.audit_checkpoints))
    .onConflict((conflict) => conflict.doNothing()),
)
const after = prepare('audit-checkpoints.after', (db, p: Placeholders<{ after: number; rows: number }>) =>
  db
    .selectFrom('audit_checkpoints')
    .select(columns.audit_checkpoints)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.rows),
)
const last = prepare('audit-checkpoints.last', (db, p: Placeholders<{ rows: number }>) =>
  db.selectFrom('audit_checkpoints').select(columns.audit_checkpoints).orderBy('number', 'desc').limit(p.rows),
)

const remove = prepare('audit-checkpoints.remove', (db, p: Placeholders<{ from: number; to: number }>) =>
  db.deleteFrom('audit_checkpoints').where('number', '>=', p.from).where('number', '<=', p.to),
)

export function sqlCheckpoints(engine: Engine) {
  return {
    /** Returns false if the number is taken. */
    async addCheckpoint({ number, atMs, statement }: AuditCheckpoint): Promise<boolean> {
      return (await engine.commit([mustChange(insert({ number, at_ms: atMs, statement }))])).applied
    },
    /** Returns at most `limit` checkpoints after `afterNumber`, ascending. */
    async checkpoints(afterNumber: number, limit: number): Promise<AuditCheckpoint[]> {
      return (await engine.read(after({ after: afterNumber, rows: limit }))).map(toCheckpoint)
    },
    /** Removes the checkpoints of these ranges, both ends inclusive, at once. Returns their number. */
    async removeCheckpoints(ranges: readonly { readonly from: number; readonly to: number }[]): Promise<number> {
      if (ranges.length === 0) return 0
      const { changes } = await engine.commit(ranges.map(({ from, to }) => remove({ from, to })))
      return changes.reduce((sum, rows) => sum + rows, 0)
    },
    async lastCheckpoint(): Promise<AuditCheckpoint | undefined> {
      const [row] = await engine.read(last({ rows: 1 }))
      return row && toCheckpoint(row)
    },
  }
}

function toCheckpoint({ number, at_ms: atMs, statement }: AuditCheckpointsTable): AuditCheckpoint {
  return { number, atMs, statement }
}
