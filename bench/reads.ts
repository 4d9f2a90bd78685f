/**
 * What a replica for reads would take off PostgreSQL: the statements of an operation, with their share of its time there.
 *
 *   node bench/reads.ts [OPERATION,…] [SECONDS]
 */
import { existsSync } from 'node:fs'
import postgres from 'postgres'
import { startServer } from '../test/support/postgres.ts'
import { openGenerator } from './generator.ts'
import { operations } from './operations.ts'
import { table } from './report.ts'
import { cleanUp, cleanUpAtOnce, newFolder, startLatchkey } from './servers.ts'

const [names = 'token,refresh,authorize,signin,userinfo,introspection,admin-people,admin-audit', seconds = '3'] =
  process.argv.slice(2)

/** Keeps the statistics, which the server of the development packages lacks. */
const programs = '/usr/lib/postgresql/15/bin'

type Row = { readonly query: string; readonly calls: number; readonly ms: number }

process.on('exit', cleanUpAtOnce)
if (!existsSync(programs)) throw new Error(`There is no PostgreSQL 15 with pg_stat_statements in ${programs}.`)
const server = await startServer({
  settings: [
    'fsync=on',
    'wal_level=replica',
    'shared_buffers=256MB',
    'max_connections=100',
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track_planning=on',
  ],
  onDisk: true,
  programs,
})
try {
  const address = await server.createDatabase()
  const sql = postgres(address, { max: 1, onnotice: () => {} })
  await sql`create extension pg_stat_statements`
  const node = await startLatchkey({ folder: newFolder(), algorithm: 'ES256', database: address, everyCore: true })
  const generator = openGenerator()
  const rows: string[][] = []
  for (const name of names.split(',')) {
    const operation = operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(`There is no operation '${name}'.`)
    const job = { target: node, work: operation.work, connections: 16, seconds: Number(seconds), signInsBeside: 0 }
    // What is made beforehand, such as codes, is stored in the first run.
    await generator.measure(job)
    await sql`select pg_stat_statements_reset()`
    const { operations: done } = await generator.measure(job)
    const found = await sql<Row[]>`
      select query, calls::integer as calls, total_plan_time + total_exec_time as ms from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'
      order by ms desc`
    const total = found.reduce((sum, { ms }) => sum + ms, 0)
    for (const { query, calls, ms } of found.filter((row) => row.ms > total / 100)) {
      const isWrite = /^(?:with|insert|update|delete)|\b(?:insert into|update|delete from)\b/i.test(query)
      const tables = [...new Set([...query.matchAll(/(?:from|into|update|join) "?([a-z_]+)"?/g)].map(([, one]) => one))]
      rows.push([
        name,
        isWrite ? 'write' : 'read',
        tables.join(' '),
        (calls / done).toFixed(2),
        ((ms * 1000) / calls).toFixed(0),
        `${Math.round((ms / total) * 100)} %`,
      ])
    }
  }
  process.stdout.write(`${table(['', 'kind', 'tables', 'for each', 'µs', 'of its time'], rows)}\n`)
  await sql.end()
  await node.stop()
} finally {
  await cleanUp()
  await server.stop()
}
