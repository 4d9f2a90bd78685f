import type { Engine } from '../engine.ts'
import type { SpentValues } from '../port/spent-values.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { SpentValuesTable } from './tables.ts'

/** The primary key decides the race. */
const insertSpent = prepare('spent-values.insertSpent', (db, p: Placeholders<SpentValuesTable>) =>
  db
    .insertInto('spent_values')
    .values(pick(p, ['id', 'expires_at_ms']))
    .onConflict((conflict) => conflict.doNothing()),
)

export function sqlSpentValues(engine: Engine): SpentValues {
  return {
    async spend(id, expiresAtMs, events) {
      return (await engine.commit([mustChange(insertSpent({ id, expires_at_ms: expiresAtMs }))], events)).applied
    },
  }
}
