/** A database that counts what it is asked for. */
import type { Adapter } from '../../src/storage/engine.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { openInMemory } from './sqlite.ts'

export type Counts = { reads: number; commits: number }

/** `opened`: by default an embedded database in memory. Several may be over one, as those of several processes are. */
export async function countedStorage(counts: Counts, opened?: Adapter): Promise<Storage> {
  const adapter = opened ?? (await openInMemory())
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
        // Nobody waits for the queue of the audit trail, which has no statements, and for the counts of the hour and of clients.
        const isOfRequest = statements.some(
          (one) => !/"(?:activity_hours|client_activity)"/.test(one.toSql('sqlite').text),
        )
        if (isOfRequest) counts.commits += 1
        return engine.commit(statements, events, underWay)
      },
    },
  })
}
