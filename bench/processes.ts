/**
 * How throughput grows with processes on one PostgreSQL, and what one operation costs each part: the service, the database,
 * the disk, the network.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Argon2id, nativeArgon2id, nodeArgon2id } from '../src/secrets/argon2.ts'
import { type DurablePostgres, flushUs, startDurablePostgres, type TableSize, tableSizes } from './database.ts'
import type { Generator } from './generator.ts'
import { Latencies } from './latency.ts'
import { passwordBy } from './limits.ts'
import { describeMachine } from './machine.ts'
import { type Inputs, merged, type Point, readInputs, type Value, writeInputs } from './model/inputs.ts'
import type { Operation } from './operations.ts'
import type { DatabaseWork, Measurement, Target } from './records.ts'
import { startRelay } from './relay.ts'
import { table, whole } from './report.ts'
import { type Plan, runsInTurn } from './rounds.ts'
import { checkout, databaseSettings, newFolder, runProgram, type Started, startLatchkey } from './servers.ts'

export type ProcessesPlan = {
  readonly processes: readonly number[]
  readonly operations: readonly Operation[]
  readonly connections: readonly number[]
  readonly seconds: number
  readonly rounds: number
  /** The file of the model's inputs that gets what was measured; null: none. */
  readonly inputs: string | null
  /** Whether people and grants are stored to measure the size of their records. */
  readonly sizes: boolean
}

type Measured = { readonly kind: Point['kind']; readonly processes: number; readonly server: Started }

/** From here on several processes are measured. */
const manyConnections = 16
/** Records that are stored to measure the size of one. */
const seededRows = 20_000

/** Fewer do not tell the size of one. */
const leastRows = 1000

const tell = (line: string) => process.stderr.write(`${line}\n`)
let stopDatabase = async () => {}
/** Ends what a measurement that did not come to its end left running. */
export const stopProcesses = () => stopDatabase()

export async function measureProcesses(generator: Generator, plan: ProcessesPlan): Promise<Inputs> {
  const before = plan.inputs !== null && existsSync(plan.inputs) ? readInputs(plan.inputs) : null
  const database = await startDurablePostgres()
  stopDatabase = () => database.stop()
  const when = new Date().toISOString().slice(0, 10)
  const { processor, cores, runtime } = describeMachine()
  const values: Record<string, Value> = {}
  const note = (name: string, value: number, unit: string, how: string) => {
    values[name] = { value: Number(value.toPrecision(4)), unit, how, when }
  }
  for (const [name, argon2id] of [
    ['native', nativeOrNull()],
    ['runtime', nodeArgon2id],
  ] as const) {
    if (argon2id === null) continue
    note(`argon2.${name}`, passwordBy(argon2id, 1).cpuUs, 'µs', 'hashes in one thread for a second')
  }
  note('flush', flushUs(), 'µs', 'median of 500 forced writes of 8 kB')
  const points: Point[] = []
  const servers = await startAll(database, plan.processes)
  const counted = await startCounted(database)
  for (const operation of plan.operations) {
    for (const connections of plan.connections) {
      // Few connections tell what a process costs that shares little between requests; there is nothing to distribute.
      const measured = servers.filter(({ processes }) => connections >= manyConnections || processes === 1)
      const targets = measured.map(({ server }) => server)
      const runs = await quietRuns(generator, targets, { ...plan, operation, connections })
      for (const [at, { kind, processes }] of measured.entries()) {
        const found = runs[at] ?? []
        const point = pointOf({ operation: operation.name, kind, processes, connections, when }, found)
        points.push(point)
        if (processes === 1) noteCosts(note, point, found)
      }
      const rates = points.slice(-measured.length).map((one) => `${one.processes} ${one.kind} ${whole(one.rate)}/s`)
      tell(`${operation.title}, ${connections} connections: ${rates.join(', ')}`)
    }
    await noteTraffic(note, operation, await counted.measure(generator, operation))
  }
  const loaded = servers[0]?.server.counted?.address
  // The trail as the load left it: entries of exchanges are longer than others.
  const trail = async () => (loaded === undefined ? [] : tableSizes(loaded, ['audit_entries']))
  const sizes = plan.sizes ? [...(await seededSizes(database)), ...(await trail())] : []
  for (const { table: name, rows, tableBytes, indexBytes } of sizes) {
    if (rows < leastRows) continue
    const how = `${whole(rows)} rows, PostgreSQL ${database.version}`
    note(`rows.${name}.table`, tableBytes / rows, 'bytes', how)
    note(`rows.${name}.index`, indexBytes / rows, 'bytes', how)
  }
  counted.stop()
  for (const { server } of [...servers, counted]) await server.stop()
  await database.stop()
  stopDatabase = async () => {}
  const machine = `${processor}, ${cores} cores, Node.js ${runtime}, PostgreSQL ${database.version} with fsync on the same cores`
  const now = { machine, cores, values, points }
  if (plan.inputs !== null) writeInputs(plan.inputs, merged(before, now))
  return now
}

/** Each person comes from an address that a proxy would pass on. */
const settings = { Server__TrustProxy: '127.0.0.1' }

async function withPeople(address: string): Promise<string> {
  const program = join(checkout, 'bench', 'people.ts')
  await runProgram(0, [process.execPath, program], databaseSettings(newFolder(), address))
  return address
}

function nativeOrNull(): Argon2id | null {
  try {
    return nativeArgon2id()
  } catch {
    return null
  }
}

/** Nodes and workers, each with a database of its own; one process is both, and is started once. */
async function startAll(database: DurablePostgres, processes: readonly number[]): Promise<Measured[]> {
  const started: Measured[] = []
  for (const count of processes) {
    for (const kind of count === 1 ? (['nodes'] as const) : (['nodes', 'workers'] as const)) {
      const address = await withPeople(await database.createDatabase())
      const server = await startLatchkey({
        folder: newFolder(),
        algorithm: 'ES256',
        settings,
        name: `${count} ${kind}`,
        database: address,
        counted: { address, pid: database.pid },
        everyCore: true,
        ...(kind === 'nodes' ? { nodes: count } : { workers: count }),
      })
      started.push({ kind, processes: count, server })
    }
  }
  return started
}

/** A node whose traffic with the database is counted: not timed, because the relay takes time itself. */
async function startCounted(database: DurablePostgres) {
  const address = await withPeople(await database.createDatabase())
  const relay = await startRelay(address)
  const server = await startLatchkey({
    folder: newFolder(),
    algorithm: 'ES256',
    settings,
    name: 'counted',
    database: relay.address,
    counted: { address, pid: database.pid, counters: relay.counters },
    everyCore: true,
  })
  return {
    server,
    stop: () => relay.stop(),
    measure: (on: Generator, { work }: Operation) =>
      on.measure({ target: server, work, connections: 1, seconds: 2, signInsBeside: 0 }),
  }
}

type Note = (name: string, value: number, unit: string, how: string) => void

function pointOf(
  named: Pick<Point, 'operation' | 'kind' | 'processes' | 'connections' | 'when'>,
  runs: readonly Measurement[],
): Point {
  const sum = (pick: (run: Measurement) => number | null | undefined) =>
    runs.reduce((total, run) => total + (pick(run) ?? 0), 0)
  const operations = sum((run) => run.operations)
  const latencies = new Latencies()
  for (const run of runs) latencies.addAll(run.latencies)
  const rates = runs.map((run) => run.operations / run.seconds)
  const rate = operations / sum((run) => run.seconds)
  const rounded = (value: number) => Number(value.toPrecision(4))
  return {
    ...named,
    rate: rounded(rate),
    spread: rounded((Math.max(...rates) - Math.min(...rates)) / 2 / rate),
    p50Ms: rounded(latencies.quantile(0.5) ?? 0),
    p99Ms: rounded(latencies.quantile(0.99) ?? 0),
    nodeUs: rounded(sum((run) => run.serverCpuUs) / operations),
    databaseUs: rounded(sum((run) => run.database?.cpuUs) / operations),
    generatorUs: rounded(sum((run) => run.generatorCpuUs) / operations),
    othersShare: rounded(Math.max(0, sum((run) => run.othersShare) / runs.length)),
  }
}

/** What depends on how much is under way: the more, the more share a read of sockets, a commit, a flush. */
function noteCosts(note: Note, point: Point, runs: readonly Measurement[]): void {
  const { operation, connections } = point
  const how = `one process, ${connections} connections, the run that needed least, /proc/PID/stat`
  const least = (pick: (run: Measurement) => number | null | undefined) =>
    Math.min(...runs.map((run) => (pick(run) ?? 0) / run.operations))
  note(
    `${operation}.node.${connections}`,
    least((run) => run.serverCpuUs),
    'µs',
    how,
  )
  note(
    `${operation}.database.${connections}`,
    least((run) => run.database?.cpuUs),
    'µs',
    how,
  )
  const { each, connections: open } = atDatabase(runs)
  const counter = `one process, ${connections} connections, counters of PostgreSQL`
  note(`${operation}.writes`, each('writes'), 'transactions', counter)
  note(`${operation}.wal`, each('walBytes'), 'bytes', `${counter}, with images of whole pages after a checkpoint`)
  note(`${operation}.flushes.${connections}`, each('flushes'), 'flushes', counter)
  note(`${operation}.connections.${connections}`, open, 'connections', counter)
}

function atDatabase(runs: readonly Measurement[]) {
  const operations = runs.reduce((sum, run) => sum + run.operations, 0)
  const works = runs.map((run) => run.database).filter((work) => work !== null)
  return {
    each: (name: 'writes' | 'walBytes' | 'flushes') =>
      works.reduce((sum: number, work: DatabaseWork) => sum + work[name], 0) / operations,
    connections: Math.max(0, ...works.map((work) => work.connections)),
  }
}

function noteTraffic(note: Note, { name }: Operation, run: Measurement): void {
  const { passed, entries } = run.database ?? {}
  const how = 'one process, one connection, without the headers of TCP'
  note(`${name}.fromClient`, run.bytesSent / run.operations, 'bytes', how)
  note(`${name}.toClient`, run.bytesReceived / run.operations, 'bytes', how)
  if (!passed) return
  note(
    `${name}.roundTrips`,
    passed.roundTrips / run.operations,
    'round trips',
    'one process, one connection, counted by a relay',
  )
  note(`${name}.toDatabase`, passed.toDatabase / run.operations, 'bytes', how)
  note(`${name}.fromDatabase`, passed.fromDatabase / run.operations, 'bytes', how)
  note(`${name}.entries`, (entries ?? 0) / run.operations, 'entries', 'rows of the audit trail before and after')
}

/** People, and what belongs to them, as they are stored first. */
async function seededSizes(database: DurablePostgres): Promise<TableSize[]> {
  tell(`storing ${whole(seededRows)} people …`)
  const folder = newFolder()
  const address = await database.createDatabase()
  const seed = [process.execPath, join(checkout, 'bench', 'seed.ts'), String(seededRows), join(folder, 'tokens')]
  await runProgram(0, seed, databaseSettings(folder, address))
  return tableSizes(address, ['users', 'user_search_keys', 'authorizations', 'grants', 'sessions', 'known_browsers'])
}

/** A run is quiet when others used less of the machine than this. */
const quietShare = 0.1
/** How many times as many runs are tried until enough are quiet. */
const patience = 3

/** As many runs of each target as were asked for: the quietest of those that were made in turn. */
async function quietRuns(generator: Generator, targets: readonly Target[], plan: Plan): Promise<Measurement[][]> {
  const all = targets.map((): Measurement[] => [])
  for (let round = 0; round < plan.rounds * patience; round += 1) {
    const made = await runsInTurn(generator, targets, { ...plan, rounds: 1 })
    for (const [at, { runs }] of made.entries()) all[at]?.push(...runs)
    for (const runs of all) runs.sort((a, b) => (a.othersShare ?? 0) - (b.othersShare ?? 0))
    if (all.every((runs) => (runs[plan.rounds - 1]?.othersShare ?? 1) < quietShare)) break
  }
  return all.map((runs) => runs.slice(0, plan.rounds))
}

/** All points beside each other: ratios to one process, and the processor time of each part. */
export function processesText({ points, values }: Inputs): string {
  const parts: string[] = []
  for (const operation of new Set(points.map((point) => point.operation))) {
    const rows = points
      .filter((point) => point.operation === operation)
      .map((point) => {
        const { kind, processes, connections, nodeUs, databaseUs, generatorUs } = point
        const one = points.find(
          (other) => other.operation === operation && other.connections === connections && other.processes === 1,
        )
        return [
          String(connections),
          processes === 1 ? '1 process' : `${processes} ${kind}`,
          whole(point.rate),
          `±${Math.round(point.spread * 100)} %`,
          one === undefined ? '' : `${(point.rate / one.rate).toFixed(2)}×`,
          point.p50Ms.toFixed(2),
          point.p99Ms.toFixed(1),
          ...[nodeUs, databaseUs, generatorUs].map((us) => us.toFixed(0)),
          `${Math.round(point.othersShare * 100)} %`,
        ]
      })
    const headings = ['connections', '', 'a second', 'spread', 'to one', 'p50 ms', 'p99 ms', 'Latchkey CPU µs']
    parts.push(`${operation}\n${table([...headings, 'PostgreSQL', 'generator', 'others'], rows)}`)
  }
  const rows = Object.entries(values).map(([name, { value, unit, how }]) => [
    name,
    value.toLocaleString('en'),
    unit,
    how,
  ])
  return `${parts.join('\n\n')}\n\nOne operation, one record\n${table(['', 'value', 'unit', ''], rows)}`
}
