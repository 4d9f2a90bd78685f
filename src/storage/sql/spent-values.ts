/** Single-use values. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import type { SpentBefore, SpentValue } from '../port/grants.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import type { SpentValuesTable } from './tables.ts'

/** The primary key decides the race. */
const insertSpent = prepare('spent-values.insertSpent', (db, p: Placeholders<SpentValuesTable>) =>
  db
    .insertInto('spent_values')
    .values(pick(p, ['id', 'expires_at_ms']))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns statements that fail their commit if one of the values was used before. */
export function spending(values: readonly SpentValue[]): readonly Statement[] {
  return values.map(({ id, expiresAtMs }) => ({
    ...mustChange(insertSpent({ id, expires_at_ms: expiresAtMs })),
    independent: true,
  }))
}

/** `at`: the index of the value whose statement changed nothing. */
export function spentBefore(values: readonly SpentValue[], at: number): SpentBefore {
  return { spentBefore: (values[at] as SpentValue).id }
}

export function sqlSpentValues(engine: Engine) {
  return {
    /** Marks a value as used. True for exactly one caller until `expiresAtMs`, when the value itself has expired. */
    async spend(id: string, expiresAtMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit(spending([{ id, expiresAtMs }]), events)).applied
    },
  }
}
