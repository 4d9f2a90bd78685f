/** When the service was able to answer, which the leeway of a rotation takes into account. */
import { leewayAtMostMs } from '../../protocol/grant/leeway.ts'
import type { Engine } from '../engine.ts'
import type { StoredUptime } from '../port/servers.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type Prefixed, prefixed, type UptimesTable } from './tables.ts'

type UptimeRow = Prefixed<'t', UptimesTable>
const uptimeColumns = prefixed('uptimes', 't', columns.uptimes)

const store = prepare('uptimes.store', (db, p: Placeholders<UptimesTable>) =>
  db
    .insertInto('uptimes')
    .values(pick(p, columns.uptimes))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(pick(p, ['through_ms', 'expires_at_ms']))),
)
/** Scans a table of a few rows. */
const lasting = prepare('uptimes.lasting', (db, p: Placeholders<{ after_ms: number }>) =>
  db.selectFrom('uptimes').select(uptimeColumns).where('through_ms', '>', p.after_ms),
)

export function sqlUptimes(engine: Engine) {
  return {
    /** Inserts each by its id, or updates the end of an existing one. */
    async record(uptimes: readonly StoredUptime[]): Promise<void> {
      await engine.commit(uptimes.map((uptime) => store(toRow(uptime))))
    },
    /** Returns those that lasted beyond `afterMs`, in no particular order. */
    async since(afterMs: number): Promise<StoredUptime[]> {
      return (await engine.read(lasting({ after_ms: afterMs }))).map(toUptime)
    },
  }
}

function toRow({ id, fromMs, throughMs }: StoredUptime): UptimesTable {
  return { id, from_ms: fromMs, through_ms: throughMs, expires_at_ms: throughMs + leewayAtMostMs }
}

function toUptime(row: UptimeRow): StoredUptime {
  return { id: row.t_id, fromMs: row.t_from_ms, throughMs: row.t_through_ms }
}
