/** What a pooler between Latchkey and PostgreSQL costs, in each of its modes: ratios to a node that has none. */
import { hasPgBouncer, startPgBouncer } from '../test/support/pgbouncer.ts'
import { startDurablePostgres } from './database.ts'
import type { Generator } from './generator.ts'
import { Latencies } from './latency.ts'
import { familyCpuUs } from './machine.ts'
import { type Options, Usage } from './options.ts'
import type { Measurement } from './records.ts'
import { table, whole } from './report.ts'
import { newFolder, type Started, startLatchkey } from './servers.ts'

type Way = {
  readonly name: string
  readonly server: Started
  /** Of the pooler; null: there is none. */
  readonly pid: number | null
}

/** One way, one operation. Times are of all runs together. */
type Measured = {
  readonly way: string
  readonly operation: string
  readonly connections: number
  readonly rate: number
  readonly spread: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time for one operation. */
  readonly nodeUs: number
  readonly poolerUs: number
  readonly databaseUs: number
  readonly othersShare: number
}

const modes = [
  { name: 'directly', pool: undefined, prepared: true },
  { name: 'directly, nothing prepared', pool: undefined, prepared: false },
  { name: 'PgBouncer, session', pool: { pool_mode: 'session', default_pool_size: 30 }, prepared: true },
  { name: 'PgBouncer, transaction', pool: { pool_mode: 'transaction', default_pool_size: 20 }, prepared: false },
] as const

export async function measurePoolers(
  generator: Generator,
  options: Options,
  whenInterrupted: (stop: () => Promise<void>) => void,
): Promise<{ version: string; ways: Measured[] }> {
  if (!hasPgBouncer()) throw new Usage('--poolers needs the program pgbouncer.')
  const closers: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  whenInterrupted(stop)
  const database = await startDurablePostgres()
  closers.push(() => database.stop())
  const ways: Way[] = []
  for (const { name, pool, prepared } of modes) {
    const address = await database.createDatabase()
    const pooler = pool && (await startPgBouncer(Number(new URL(address).port), pool))
    if (pooler) closers.push(() => pooler.stop())
    const server = await startLatchkey({
      folder: newFolder(),
      algorithm: 'ES256',
      name,
      settings: prepared ? {} : { Database__PreparedStatements: 'false' },
      database: pooler ? pooler.through(address) : address,
      counted: { address, pid: database.pid },
      everyCore: true,
    })
    closers.push(() => server.stop())
    ways.push({ name, server, pid: pooler?.pid ?? null })
  }
  const measured: Measured[] = []
  for (const operation of options.operations) {
    for (const connections of options.connections) {
      const found = ways.map((): { run: Measurement; poolerUs: number }[] => [])
      for (let round = 0; round < options.rounds; round += 1) {
        // Each round begins with another way, so that none always follows the same one.
        for (const turn of ways.keys()) {
          const at = (turn + round) % ways.length
          const { server, pid } = ways[at] as Way
          const poolerCpu = () => (pid === null ? 0 : (familyCpuUs(pid) ?? 0))
          const before = poolerCpu()
          const job = { target: server, work: operation.work, connections, seconds: options.seconds, signInsBeside: 0 }
          const run = await generator.measure(job)
          if (run.firstFailure !== null) throw new Error(`${server.name}, ${operation.name}: ${run.firstFailure}`)
          found[at]?.push({ run, poolerUs: poolerCpu() - before })
        }
      }
      for (const [at, { name }] of ways.entries()) {
        measured.push(addUp({ way: name, operation: operation.name, connections }, found[at] ?? []))
      }
      const rates = measured.slice(-ways.length).map(({ way, rate }) => `${way} ${whole(rate)}/s`)
      process.stderr.write(`${operation.title}, ${connections} connections: ${rates.join(', ')}\n`)
    }
  }
  await stop()
  return { version: `PostgreSQL ${database.version} with fsync, on the same cores`, ways: measured }
}

function addUp(
  named: Pick<Measured, 'way' | 'operation' | 'connections'>,
  found: readonly { readonly run: Measurement; readonly poolerUs: number }[],
): Measured {
  const sum = (pick: (one: (typeof found)[number]) => number | null | undefined) =>
    found.reduce((total, one) => total + (pick(one) ?? 0), 0)
  const operations = sum(({ run }) => run.operations)
  const latencies = new Latencies()
  for (const { run } of found) latencies.addAll(run.latencies)
  const rates = found.map(({ run }) => run.operations / run.seconds)
  const rate = operations / sum(({ run }) => run.seconds)
  return {
    ...named,
    rate,
    spread: (Math.max(...rates) - Math.min(...rates)) / 2 / rate,
    p50Ms: latencies.quantile(0.5) ?? 0,
    p99Ms: latencies.quantile(0.99) ?? 0,
    nodeUs: sum(({ run }) => run.serverCpuUs) / operations,
    // The warm-up of a run is in it, and makes it up to a few per cent too high.
    poolerUs: sum(({ poolerUs }) => poolerUs) / operations,
    databaseUs: sum(({ run }) => run.database?.cpuUs) / operations,
    othersShare: Math.max(0, sum(({ run }) => run.othersShare) / found.length),
  }
}

export function poolersText(measured: readonly Measured[]): string {
  const headings = ['connections', '', 'a second', 'spread', 'to directly', 'p50 ms', 'p99 ms', 'Latchkey CPU µs']
  const parts = [...new Set(measured.map(({ operation }) => operation))].map((operation) => {
    const all = measured.filter((one) => one.operation === operation)
    const rows = all.map((one) => {
      const first = all.find(({ connections }) => connections === one.connections) ?? one
      return [
        String(one.connections),
        one.way,
        whole(one.rate),
        `±${Math.round(one.spread * 100)} %`,
        `${(one.rate / first.rate).toFixed(2)}×`,
        one.p50Ms.toFixed(2),
        one.p99Ms.toFixed(1),
        ...[one.nodeUs, one.poolerUs, one.databaseUs].map((us) => us.toFixed(0)),
        `${Math.round(one.othersShare * 100)} %`,
      ]
    })
    return `${operation}\n${table([...headings, 'PgBouncer', 'PostgreSQL', 'others'], rows)}`
  })
  return parts.join('\n\n')
}
