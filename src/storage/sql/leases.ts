import type { Engine } from '../engine.ts'
import type { Leases } from '../port/leases.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'

type Taking = { name: string; holder: string; for_ms: number }

const ofOthers = prepare(
  'leases.ofOthers',
  (db, p: Placeholders<{ name: string; holder: string }>, { databaseNowMs }) =>
    db
      .selectFrom('leases')
      .select('holder')
      .where('name', '=', p.name)
      .where('holder', '<>', p.holder)
      .where('until_ms', '>', databaseNowMs),
)
const take = prepare('leases.take', (db, p: Placeholders<Taking>, { sql, databaseNowMs }) =>
  db
    .insertInto('leases')
    .values({ name: p.name, holder: p.holder, until_ms: sql<number>`${databaseNowMs} + ${p.for_ms}` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: p.holder, until_ms: sql<number>`${databaseNowMs} + ${p.for_ms}` })
        .where(({ or, eb }) => or([eb('leases.holder', '=', p.holder), eb('leases.until_ms', '<=', databaseNowMs)])),
    ),
)
const release = prepare('leases.release', (db, p: Placeholders<{ name: string; holder: string }>) =>
  db.deleteFrom('leases').where('name', '=', p.name).where('holder', '=', p.holder),
)

export function sqlLeases(engine: Engine): Leases {
  return {
    async take(name, holder, forMs) {
      if ((await engine.read(ofOthers({ name, holder }))).length > 0) return false
      return (await engine.commit([mustChange(take({ name, holder, for_ms: forMs }))])).applied
    },
    async release(name, holder) {
      await engine.commit([release({ name, holder })])
    },
  }
}
