/** Readings of many requests that share a statement on PostgreSQL: each has its own answer. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import type { Adapter } from '../../src/storage/engine.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { readGathered } from '../../src/storage/postgres/gathered-readings.ts'
import type { Statement, Value } from '../../src/storage/sql/statement.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { postgresServer } from '../support/postgres.ts'
import { storageContract } from './contract.ts'
import { aClient, atOnce } from './records.ts'

const server = await postgresServer()
const url = await server.createDatabase()
const direct = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
after(async () => {
  await direct.end()
  await server.stop()
})
const emptied = [...tables, ...ownTables].map((table) => `delete from ${table}`)

let gathered = 0
/** Sends each reading that may be gathered beside one of nothing, in one statement. */
function besideOthers(adapter: Adapter): Adapter {
  const reader = postgres(url, {
    max: 1,
    fetch_types: false,
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  const send = async (text: string, parameters: Value[]) =>
    [...(await reader.unsafe(text, parameters, { prepare: true }).values())] as Value[][]
  const nothing = (statement: Statement): Statement => ({
    ...statement,
    toSql: (dialect) => {
      const sql = statement.toSql(dialect)
      return { ...sql, parameters: sql.parameters.map(() => null) }
    },
  })
  return {
    ...adapter,
    engine: {
      ...adapter.engine,
      async read<Row>(statement: Statement<Row>) {
        const hasNul = statement.toSql('postgres').parameters.some((value) => String(value).includes('\0'))
        if (statement.gathered === undefined || hasNul) return adapter.engine.read(statement)
        gathered += 1
        const [, rows = []] = await readGathered([nothing(statement), statement, nothing(statement)], send)
        return rows as Row[]
      },
      async close() {
        await reader.end()
        await adapter.engine.close()
      },
    },
  }
}

storageContract('PostgreSQL, with each reading beside others', async () => {
  const storage = sqlStorage(besideOthers(openPostgres(url)))
  const close = async () => {
    await storage.close()
    await direct.unsafe(['set session_replication_role = replica', ...emptied].join(';'))
  }
  return { ...storage, close }
})

describe('readings on PostgreSQL', () => {
  it('of the contract were gathered', () => assert.ok(gathered > 100, String(gathered)))

  it('that come at once are answered each with its own, whatever is in the values', async () => {
    const storage = sqlStorage(openPostgres(url))
    const odd = ['a"b', 'a\\b', '{a}', 'a,b', 'NULL', '', "a'b", 'ä€𝄞', '$1', 'a\nb']
    for (const id of odd) await storage.clients.create(aClient({ id: `odd ${id}` }))
    const ids = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? `none ${at}` : `odd ${odd[at % odd.length]}`))
    const found = await atOnce(ids.length, (at) => storage.clients.find(ids[at] ?? ''))
    assert.deepEqual(
      found.map((client) => client?.id),
      ids.map((id) => (id.startsWith('none') ? undefined : id)),
    )
    assert.equal(await storage.clients.find('a\0b'), undefined)
    await storage.close()
  })

  it('are planned for any number of them, however few come together', async () => {
    const reader = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
    const statements: Statement[] = []
    const adapter = openPostgres(url)
    const noticing = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
      statements.push(statement)
      return []
    }
    const storage = sqlStorage({ ...adapter, engine: { ...adapter.engine, read: noticing } })
    for (const id of ['a', 'b', 'c']) await storage.grants.findForRefresh(id, 'client')
    const send = async (text: string, parameters: Value[]) =>
      [...(await reader.unsafe(text, parameters, { prepare: true }).values())] as Value[][]
    for (let time = 0; time < 20; time += 1) await readGathered(statements, send)
    const [counted] = await reader`
      select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements
      where statement like '%gathered_member%' and statement not like '%pg_prepared_statements%'`
    // The server tries five plans for the values before it compares.
    assert.deepEqual({ ...counted }, { custom: 5, generic: 15 })
    await reader.end()
    await storage.close()
  })
})
