/**
 * What one round trip to PostgreSQL costs its client and the server, by driver and number of connections: a row of a session by its
 * key, with a prepared statement.
 *
 *   npx node bench/round-trip.ts [--runs N] [--calls N] [--outstanding 1,16,64] [--json]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { openPostgres } from '../src/storage/postgres/engine.ts'
import { sessionOptions } from '../src/storage/postgres/options.ts'
import { sqlStorage } from '../src/storage/sql/storage.ts'
import { columns } from '../src/storage/sql/tables.ts'
import { startServer } from '../test/support/postgres.ts'
import { familyCpuUs } from './machine.ts'
import { table } from './report.ts'
import { openWire } from './wire.ts'

type Client = { ask(id: string): Promise<unknown>; end(): Promise<unknown> }
type Way = { readonly name: string; open(url: string, connections: number): Promise<Client> }

export type RoundTrip = {
  readonly client: string
  readonly connections: number
  readonly outstanding: number
  /** Processor time for one round trip, the least of all runs. */
  readonly clientUs: number
  readonly serverUs: number | null
}

const rows = 1000
const text = `select ${columns.sessions.join(', ')} from sessions where id = $1`
const idOf = (row: number): string => `00000000-0000-7000-8000-${String(row % rows).padStart(12, '0')}`

const ours: Way = {
  name: 'postgres',
  async open(url, connections) {
    const options = { ...sessionOptions(true, { statement_timeout: 5000 }), max: connections, fetch_types: false }
    const sql = postgres(url, options)
    return { ask: (id) => sql.unsafe(text, [id], { prepare: true }), end: () => sql.end() }
  },
}

/** What is used of the package; it has no types of its own. */
type Pg = {
  readonly types: { setTypeParser(type: number, parse: (text: string) => unknown): void }
  readonly Pool: new (options: {
    connectionString: string
    max: number
  }) => {
    query(query: { name: string; text: string; values: string[] }): Promise<{ rows: unknown[] }>
    end(): Promise<void>
  }
}

async function loadPg(): Promise<Way | undefined> {
  const name = 'pg'
  const found = (await import(name).catch(() => undefined)) as { default: Pg } | undefined
  if (found === undefined) return undefined
  const { Pool, types } = found.default
  const bigint = 20
  types.setTypeParser(bigint, Number)
  return {
    name: 'pg',
    async open(url, connections) {
      const pool = new Pool({ connectionString: url, max: connections })
      return { ask: (id) => pool.query({ name: 's', text, values: [id] }), end: () => pool.end() }
    },
  }
}

/** The service's own engine, which gathers what waits: the same row, with its person. */
const engine: Way = {
  name: 'engine of Latchkey',
  async open(url, connections) {
    const { sessions, close } = sqlStorage(openPostgres(url, { connections }))
    return {
      async ask(id) {
        if ((await sessions.find(id)) === undefined) throw new Error(`${id} is gone`)
      },
      end: close,
    }
  },
}

const least: Way = {
  name: 'wire protocol alone',
  async open(url, connections) {
    const wires = await Promise.all(Array.from({ length: connections }, () => openWire(url, text)))
    let turn = 0
    return {
      ask(id) {
        turn = (turn + 1) % wires.length
        return (wires[turn] as (typeof wires)[number]).ask(id)
      },
      async end() {
        for (const wire of wires) wire.end()
      },
    }
  },
}

/** Waits until so many have been asked and answered, with `outstanding` under way at a time. */
async function ask(client: Client, calls: number, outstanding: number): Promise<void> {
  let asked = 0
  const worker = async () => {
    while (asked < calls) {
      asked += 1
      await client.ask(idOf(asked))
    }
  }
  await Promise.all(Array.from({ length: outstanding }, worker))
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '8' },
      calls: { type: 'string', default: '4000' },
      outstanding: { type: 'string', default: '1,16,64' },
      json: { type: 'boolean', default: false },
    },
  })
  const [runs, calls] = [Number(values.runs), Number(values.calls)]
  const pg = await loadPg()
  if (pg === undefined) process.stderr.write('pg is not measured: npm ci --prefix bench installs it.\n')
  const ways: [Way, number][] = [
    [ours, 10],
    [ours, 3],
    [ours, 2],
    ...(pg ? ([[pg, 10]] as [Way, number][]) : []),
    [least, 10],
    [least, 2],
    [engine, 10],
    [engine, 3],
    [engine, 2],
  ]
  const server = await startServer()
  try {
    const url = await server.createDatabase()
    const pid = Number(readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    const sql = postgres(url, { max: 1 })
    await sql.unsafe(`insert into sessions (${columns.sessions.join(', ')})
      select '00000000-0000-7000-8000-' || lpad(i::text, 12, '0'), repeat('x', 43), repeat('u', 36), 1764000000000, 'pwd', 1, 1764000000000,
        1764000000000, 1764000000000, '192.0.2.1', repeat('a', 105) from generate_series(0, ${rows - 1}) i`)
    await sql.unsafe(`insert into users (id, name, normalized_name, email, normalized_email, email_confirmed, roles, disabled, failed_attempts,
        created_at_ms, updated_at_ms, version) values (repeat('u', 36), 'a', 'a', 'a@example.com', 'a@example.com', 1, '[]', 0, 0, 1, 1, 1)`)
    await sql.unsafe('vacuum (analyze) sessions, users')
    await sql.end()
    const clients = await Promise.all(ways.map(([way, connections]) => way.open(url, connections)))
    const measured: RoundTrip[] = []
    for (const outstanding of values.outstanding.split(',').map(Number)) {
      const found = ways.map((): { client: number[]; server: number[] } => ({ client: [], server: [] }))
      for (let run = 0; run < runs; run += 1) {
        for (const [at, client] of clients.entries()) {
          // Untimed, so that each begins as warm as the others.
          await ask(client, calls / 8, outstanding)
          const before = { server: familyCpuUs(pid), client: process.cpuUsage() }
          await ask(client, calls, outstanding)
          const { user, system } = process.cpuUsage(before.client)
          const after = familyCpuUs(pid)
          found[at]?.client.push((user + system) / calls)
          if (after !== null && before.server !== null) found[at]?.server.push((after - before.server) / calls)
        }
      }
      for (const [at, [{ name }, connections]] of ways.entries()) {
        const { client = [], server = [] } = found[at] ?? {}
        const serverUs = server.length === 0 ? null : Math.min(...server)
        measured.push({ client: name, connections, outstanding, clientUs: Math.min(...client), serverUs })
      }
    }
    for (const client of clients) await client.end()
    const lines = measured.map(({ client, connections, outstanding, clientUs, serverUs }) => [
      client,
      String(connections),
      String(outstanding),
      clientUs.toFixed(1),
      serverUs?.toFixed(0) ?? '–',
    ])
    const head = ['', 'connections', 'outstanding', 'client CPU µs', 'server CPU µs']
    process.stdout.write(values.json ? `${JSON.stringify(measured, null, 2)}\n` : `${table(head, lines)}\n`)
  } finally {
    await server.stop()
  }
}
