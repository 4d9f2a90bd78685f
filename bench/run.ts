/** Measures Latchkey: beside a peer, beside another revision of itself, or with few and many rows. See README.md. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { attackText, measureAttack } from './attack.ts'
import { type Generator, openGenerator } from './generator.ts'
import type { Limits } from './limits.ts'
import { describeMachine, residentBytes } from './machine.ts'
import type { Operation } from './operations.ts'
import { type Chosen, readOptions, Usage, usage } from './options.ts'
import { measureProcesses, processesText, stopProcesses } from './processes.ts'
import type { BareWork } from './records.ts'
import { type BareRequests, machineText, type Report, toText, whole } from './report.ts'
import { checkOut } from './revision.ts'
import { measureInTurn, type Result } from './rounds.ts'
import {
  type Algorithm,
  checkout,
  cleanUp,
  cleanUpAtOnce,
  databaseSettings,
  newFolder,
  peerIsInstalled,
  runProgram,
  type Started,
  startBare,
  startLatchkey,
  startPeer,
} from './servers.ts'
import { measureStart, type StartResult } from './start.ts'

type Start = (folder: string, algorithm: Algorithm) => Promise<Started>

const tell = (line: string) => process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const notes: string[] = []
  if (options.visits) return visits(options, notes)
  const machine = describeMachine()
  if (options.processes !== null) return compareProcesses(options, options.processes)
  if (options.poolers) return comparePoolers(options)
  const starts = await contenders(options, notes)
  const generator = openGenerator()
  if (options.attackers !== null) return attack(options, options.attackers, generator, starts, notes)
  const { limits, bare } =
    options.growth || options.revision || options.rules
      ? { limits: null, bare: [] }
      : await measureLimits(generator, options)
  const { results, loaded } = await measureAll(generator, starts, options)
  const startResults: StartResult[] = []
  if (options.withStart) {
    for (const start of starts) {
      tell('starting and stopping …')
      startResults.push(await measureStart((folder) => start(folder, 'ES256')))
    }
  }
  const report: Report = { machine, limits, bare, results, starts: startResults, loaded, notes }
  process.stdout.write(
    options.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${toText(report, options.operations)}`,
  )
}

async function comparePoolers(options: Chosen): Promise<void> {
  const { measurePoolers, poolersText } = await import('./poolers.ts')
  const { processor, cores, runtime } = describeMachine()
  const machine = `${processor}, ${cores} cores, Node.js ${runtime}, nothing pinned`
  const { version, ways } = await measurePoolers(openGenerator(), options, (stop) => {
    stopDatabase = stop
  })
  const text = `${machine}\n${version}\n\n${poolersText(ways)}`
  process.stdout.write(options.json ? `${JSON.stringify({ machine, version, ways }, null, 2)}\n` : `\n${text}\n`)
}

async function compareProcesses(options: Chosen, processes: readonly number[]): Promise<void> {
  const machine = machineText(describeMachine())
  const measured = await measureProcesses(openGenerator(), {
    ...options,
    processes,
    sizes: options.inputs !== null && !options.isChosen,
  })
  process.stdout.write(
    options.json ? `${JSON.stringify(measured, null, 2)}\n` : `\n${machine}\n\n${processesText(measured)}\n`,
  )
}

/** Compares few and many rows by what each verb of the storage port touches. */
async function visits(options: Chosen, notes: string[]): Promise<void> {
  const { compareVisits, countVisits, timeVerbs } = await import('./visits.ts')
  const database = await databases(options, notes)
  const filled: { readonly name: string; readonly url: string }[] = []
  for (const rows of options.growth ?? []) {
    const url = (await database()) as string
    await store(rows, newFolder(), url)
    filled.push({ name: `${whole(rows)} rows`, url })
  }
  tell('timing …')
  const times = await timeVerbs(filled.map(({ url }) => url))
  const all = []
  for (const { name, url } of filled) all.push({ name, visits: Object.fromEntries(await countVisits(url)) })
  const asJson = { medianUs: Object.fromEntries(times), databases: all }
  process.stdout.write(options.json ? `${JSON.stringify(asJson, null, 2)}\n` : `\n${compareVisits(all, times)}`)
}

async function attack(
  options: Chosen,
  attackers: number,
  generator: Generator,
  starts: readonly Start[],
  notes: readonly string[],
): Promise<void> {
  const servers: Started[] = []
  for (const start of starts) servers.push(await start(newFolder(), 'ES256'))
  const machine = describeMachine()
  const results = await measureAttack(generator, servers, { ...options, attackers })
  for (const server of servers) await server.stop()
  const refusals = results.flatMap(({ target, firstRefusal }) =>
    firstRefusal === null ? [] : [`${target}, the first refusal: ${firstRefusal.slice(0, 200)}`],
  )
  const text = [machineText(machine), attackText(results), ...[...notes, ...refusals].map((note) => `Note: ${note}`)]
  process.stdout.write(
    options.json ? `${JSON.stringify({ machine, attacks: results, notes }, null, 2)}\n` : `\n${text.join('\n\n')}\n`,
  )
}

/** Who is measured in turn. */
async function contenders(options: Chosen, notes: string[]): Promise<Start[]> {
  const { revision, growth, nodes, workers } = options
  const profiles = options.profiles ?? undefined
  const database = await databases(options, notes)
  // The addresses of an attack are those that a proxy would pass on.
  const settings = options.attackers === null ? {} : { Server__TrustProxy: '127.0.0.1' }
  const prepare = async (folder: string, address: string | undefined): Promise<string | undefined> => {
    const people = [process.execPath, join(checkout, 'bench', 'people.ts')]
    if (options.attackers !== null) await runProgram(0, people, databaseSettings(folder, address))
    return address
  }
  const here: Start = async (folder, algorithm) => {
    const address = await prepare(folder, await database())
    return startLatchkey({ folder, algorithm, nodes, profiles, settings, database: address })
  }
  if (revision !== null) {
    const root = checkOut(revision)
    const before: Start = async (folder, algorithm) => {
      const address = await prepare(folder, await database())
      return startLatchkey({ folder, algorithm, nodes, root, settings, name: revision, database: address })
    }
    return [here, before]
  }
  if (options.rules) {
    const ruled: Start = async (folder, algorithm) => {
      const address = await database()
      const program = [process.execPath, join(checkout, 'bench', 'rules.ts')]
      await runProgram(0, program, databaseSettings(folder, address))
      return startLatchkey({ folder, algorithm, nodes, profiles, name: 'with rules', database: address })
    }
    return [ruled, here]
  }
  if (growth !== null) return growth.map((rows) => grown(rows, nodes, database))
  if (workers > 1) {
    return [1, workers].map(
      (processes): Start =>
        async (folder, algorithm) => {
          const name = processes === 1 ? 'one process' : `${processes} workers`
          return startLatchkey({
            folder,
            algorithm,
            name,
            database: await database(),
            workers: processes,
            everyCore: true,
          })
        },
    )
  }
  if (!options.withPeer) return [here]
  if (!peerIsInstalled()) {
    notes.push('the peer is not installed (npm ci --prefix bench), so Latchkey was measured alone.')
    return [here]
  }
  return [here, (folder, algorithm) => startPeer({ folder, algorithm })]
}

/** Makes the address of a new PostgreSQL database for each server; undefined: an SQLite file in its folder. */
async function databases(
  { postgres, server: address }: Chosen,
  notes: string[],
): Promise<() => Promise<string | undefined>> {
  if (!postgres) return async () => undefined
  if (address !== null) {
    const { databasesOn } = await import('./databases.ts')
    const server = databasesOn(address)
    stopDatabase = () => server.dropAll()
    notes.push('PostgreSQL ran apart from this measurement: CPU µs is what a node costs.')
    return () => server.create()
  }
  const { postgresServer } = await import('../test/support/postgres.ts')
  const server = await postgresServer()
  stopDatabase = () => server.stop()
  notes.push(
    'PostgreSQL ran without fsync on the same cores, and its work counts among that of other programs: CPU µs is what a node costs.',
  )
  return () => server.createDatabase()
}
let stopDatabase = async () => {}

function grown(rows: number, nodes: number, database: () => Promise<string | undefined>): Start {
  return async (folder, algorithm) => {
    const url = await database()
    const refreshTokensFile = await store(rows, folder, url, {
      OAuth__AccessTokenAlgorithm: algorithm,
      OAuth__IdentityTokenAlgorithm: algorithm,
    })
    return startLatchkey({ folder, algorithm, nodes, name: `${whole(rows)} rows`, database: url, refreshTokensFile })
  }
}

/** Returns the file of refresh tokens. */
async function store(
  rows: number,
  folder: string,
  url: string | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  tell(`storing ${whole(rows)} people …`)
  const file = join(folder, 'refresh-tokens')
  const program = [process.execPath, join(checkout, 'bench', 'seed.ts'), String(rows), file]
  await runProgram(0, program, { ...databaseSettings(folder, url), ...settings })
  return file
}

const bareWorks: readonly BareWork[] = ['bare', 'bare-exchange', 'bare-code', 'bare-signin']

async function measureLimits(
  generator: Generator,
  { operations, seconds, rounds, connections }: Chosen,
): Promise<{ limits: Limits | null; bare: BareRequests[] }> {
  if (operations.length === 0) return { limits: null, bare: [] }
  tell('limits of this machine …')
  const program = join(checkout, 'bench', 'limits.ts')
  const limits = JSON.parse(await runProgram(0, [process.execPath, program, String(Math.min(1, seconds))])) as Limits
  const server = await startBare(newFolder())
  const bare: BareRequests[] = []
  for (const [work, count] of bareWorks.flatMap((work) => connections.map((count) => [work, count] as const))) {
    const runs: { rate: number; cpuUs: number | null }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const run = await generator.measure({
        target: server,
        work,
        connections: count,
        seconds,
        signInsBeside: 0,
      })
      const cpuUs = run.serverCpuUs === null ? null : run.serverCpuUs / run.operations
      runs.push({ rate: run.operations / run.seconds, cpuUs })
    }
    // The least disturbed run, as for everything else.
    const [best] = runs.sort((a, b) => (a.cpuUs ?? 0) - (b.cpuUs ?? 0))
    if (best) bare.push({ work, connections: count, ...best })
  }
  await server.stop()
  return { limits, bare }
}

/** What a server does with its memory after a busy time is done by then. */
const restsAfterLoadMs = 35_000

async function measureAll(generator: Generator, starts: readonly Start[], options: Chosen) {
  const { operations, connections, seconds, rounds } = options
  const results: Result[] = []
  const loaded: { target: string; bytes: number | null }[] = []
  const total = operations.length * connections.length
  let done = 0
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const chosen = operations.filter((operation: Operation) => operation.algorithm === algorithm)
    if (chosen.length === 0) continue
    const servers: Started[] = []
    for (const start of starts) servers.push(await start(newFolder(), algorithm))
    for (const operation of chosen) {
      for (const count of connections) {
        const measured = await measureInTurn(generator, servers, { operation, connections: count, seconds, rounds })
        results.push(...measured)
        const rates = measured.map(({ target, rate }) => `${target} ${whole(rate)}/s`).join(', ')
        done += 1
        tell(`[${done}/${total}] ${operation.title}, ${count} connections: ${rates}`)
      }
    }
    if (algorithm === 'ES256') await wait(restsAfterLoadMs)
    for (const server of servers) {
      if (algorithm === 'ES256') loaded.push({ target: server.name, bytes: residentBytes(server.pids) })
      await server.stop()
    }
  }
  return { results, loaded }
}

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted) process.exit(130)
    interrupted = true
    tell('\nstopping; once more to stop at once')
    finish().finally(() => process.exit(130))
  })
}
process.on('exit', cleanUpAtOnce)

async function finish(): Promise<void> {
  await cleanUp()
  await stopProcesses()
  await stopDatabase()
}

try {
  await main()
} catch (error) {
  if (!interrupted) {
    tell(error instanceof Usage ? `${error.message}\n\n${usage}` : `bench: ${(error as Error).message}`)
    process.exitCode = error instanceof Usage ? 2 : 1
  }
} finally {
  if (!interrupted) await finish()
}
