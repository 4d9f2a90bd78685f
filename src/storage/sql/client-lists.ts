/** Clients by their name and by the time when they were registered. */
import type { Client } from '../../protocol/client/client.ts'
import type { Engine } from '../engine.ts'
import {
  type ClientOrder,
  type ClientPlace,
  type ClientRows,
  clientPageRows,
  fewClientRows,
  lowerAscii,
} from '../port/clients.ts'
import { clientColumns } from './client-columns.ts'
import { toClient } from './clients.ts'
import { type Placeholders, prepare } from './prepared.ts'

const bothSizes = <Made>(make: (rows: ClientRows) => Made): Readonly<Record<ClientRows, Made>> => ({
  [clientPageRows]: make(clientPageRows),
  [fewClientRows]: make(fewClientRows),
})

/** By the indexes of migration 0153. The name is compared byte by byte, without the case of its ASCII letters. */
const byName = (order: 'name' | '-name') =>
  bothSizes((rows) =>
    prepare(`client-lists.${order}${rows}`, (db, p: Placeholders<{ key: string; id: string }>, { sql, byBytes }) => {
      const [operator, direction] = order === 'name' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
      const name = sql<string>`lower(${byBytes('name')})`
      return (
        db
          .selectFrom('clients')
          .select(clientColumns)
          .where('deleted', '=', sql.lit(0))
          // SQLite searches an index of an expression by that alone, and by no pair with it.
          .where(name, order === 'name' ? '>=' : '<=', p.key)
          .where(sql<boolean>`(${name}, id) ${sql.raw(operator)} (${p.key}, ${p.id})`)
          .orderBy(name, direction)
          .orderBy('id', direction)
          .limit(sql.lit(rows))
      )
    }),
  )
const byTime = (order: 'created_at' | '-created_at') =>
  bothSizes((rows) =>
    prepare(`client-lists.${order}${rows}`, (db, p: Placeholders<{ at_ms: number; id: string }>, { sql }) => {
      const [operator, direction] = order === 'created_at' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
      return db
        .selectFrom('clients')
        .select(clientColumns)
        .where('deleted', '=', sql.lit(0))
        .where((eb) => eb(eb.refTuple('created_at_ms', 'id'), operator, sql`(${p.at_ms}, ${p.id})` as never))
        .orderBy('created_at_ms', direction)
        .orderBy('id', direction)
        .limit(sql.lit(rows))
    }),
  )
const pages = { name: byName('name'), '-name': byName('-name') }
const pagesByTime = { created_at: byTime('created_at'), '-created_at': byTime('-created_at') }

/** Sorts after every name. */
const lastName = '\u{10ffff}'

export function sqlClientLists(engine: Engine) {
  return {
    /** Returns the clients after a place (undefined: from the first of the order), at most so many. */
    async inOrder(order: ClientOrder, after: ClientPlace | undefined, atMost: ClientRows): Promise<Client[]> {
      const id = after?.id ?? ''
      if (order === 'name' || order === '-name') {
        const key = after === undefined ? (order === 'name' ? '' : lastName) : lowerAscii(after.name)
        return (await engine.read(pages[order][atMost]({ key, id }))).map(toClient)
      }
      const at_ms = after?.createdAtMs ?? (order === 'created_at' ? -1 : Number.MAX_SAFE_INTEGER)
      return (await engine.read(pagesByTime[order][atMost]({ at_ms, id }))).map(toClient)
    },
  }
}
