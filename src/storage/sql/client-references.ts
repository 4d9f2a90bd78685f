/** What the rules of clients are judged by: which of those that they name are there. */
import type { MemberChange } from '../../protocol/client/client-members.ts'
import { clientsNamedIn, type ReferenceFacts } from '../../protocol/client/client-references.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'

const clientById = prepare('client-references.clientById', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.selectFrom('clients').select('id').where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
)

export function sqlClientReferences(engine: Engine) {
  async function missingAmong(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await Promise.all(ids.map((id) => engine.read(clientById({ id }))))
    return ids.filter((_, at) => rows[at]?.length === 0)
  }
  return {
    /** Returns what changes of clients are judged by. Reads nothing where they name nobody. */
    async factsFor(changes: readonly MemberChange[]): Promise<ReferenceFacts> {
      const named = clientsNamedIn(changes)
      return named.length === 0 ? {} : { missingClients: await missingAmong(named) }
    },
  }
}
