/**
 * Work that one process at a time does for all. A lease saves work and decides nothing: a process that was paused may go on with
 * what it began while another one has taken over, so that every verb must bear both.
 */
import type { Engine } from '../engine.ts'
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

export function sqlLeases(engine: Engine) {
  return {
    /**
     * Takes or extends the lease for `forMs`. Returns false while another holder has it. The clock of the database decides, whatever
     * those of the processes say; nothing is written for a lease that is another's.
     */
    async take(name: string, holder: string, forMs: number): Promise<boolean> {
      if ((await engine.read(ofOthers({ name, holder }))).length > 0) return false
      return (await engine.commit([mustChange(take({ name, holder, for_ms: forMs }))])).applied
    },
    /** Whether no other holder has it. Takes nothing. */
    async isFree(name: string, holder: string): Promise<boolean> {
      return (await engine.read(ofOthers({ name, holder }))).length === 0
    },
    /** Gives it back, if this holder has it. */
    async release(name: string, holder: string): Promise<void> {
      await engine.commit([release({ name, holder })])
    },
  }
}
