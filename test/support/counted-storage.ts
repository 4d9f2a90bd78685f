/** An embedded database in memory that counts what it is asked for. */
import type { Storage } from '../../src/storage/port/storage.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { openInMemory } from './sqlite.ts'

export type Counts = { reads: number; commits: number }

export async function countedStorage(counts: Counts): Promise<Storage> {
  const adapter = await openInMemory()
  const { engine } = adapter
  return sqlStorage({
    ...adapter,
    engine: {
      ...engine,
      read(statement) {
        counts.reads += 1
        return engine.read(statement)
      },
      commit(statements, events, underWay) {
        // Nobody waits for the queue of the audit trail, which has no statements, and for the counts of the hour.
        const isOfRequest = statements.some((one) => !one.toSql('sqlite').text.includes('"activity_hours"'))
        if (isOfRequest) counts.commits += 1
        return engine.commit(statements, events, underWay)
      },
    },
  })
}
