/** Starts and ends the processes that are measured. Only what was started here is ever ended. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { cores, familyOf, pinTo } from './machine.ts'
import type { CountedDatabase, Product, Target } from './records.ts'

export const checkout = fileURLToPath(new URL('..', import.meta.url))

/** A cold start takes well under a second; a machine that is busy with other things is given this. */
const startsWithinMs = 60_000
const endsWithinMs = 15_000

/** The last core is the generator's. */
export const generatorCore = cores() - 1
const serverCores = Math.max(1, cores() - 1)

export type Algorithm = 'ES256' | 'RS256'

export type Started = Target & {
  /** From the start of the process to its first answer. */
  readonly startedInMs: number
  stop(): Promise<void>
}

/** Of the client `bench-api` of the peer. */
const peerApiSecret = 'secret-of-the-introspecting-client'

const running = new Set<ChildProcess>()
const folders = new Set<string>()

/** An empty folder that is removed at the end. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  folders.add(folder)
  return folder
}

/** Ends everything that still runs and removes every folder. May be called at any moment, and more than once. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...running].map(end))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

/** The latest moment: the processes are ended without waiting for them. */
export function cleanUpAtOnce(): void {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

export type LatchkeyOptions = {
  readonly folder: string
  readonly algorithm: Algorithm
  readonly name?: string
  /** Another checkout than this one. */
  readonly root?: string
  /** `postgres://…`; default: an SQLite file in the folder. */
  readonly database?: string | undefined
  /** That database, to count at; default: its work is not counted. */
  readonly counted?: CountedDatabase
  readonly nodes?: number
  /** Processes on the one port; default 1. */
  readonly workers?: number
  /** Not pinned: as on a machine that does nothing else but load itself. */
  readonly everyCore?: boolean
  readonly refreshTokensFile?: string
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>
  /** Where each process leaves its processor profile when it ends; default: it makes none. */
  readonly profiles?: string | undefined
}

/** Latchkey as people run it. Several nodes share the database; what is pinned is pinned node by node. */
export async function startLatchkey(options: LatchkeyOptions): Promise<Started> {
  const { folder, algorithm, name = 'Latchkey', root = checkout, nodes = 1, refreshTokensFile = null } = options
  const { workers = 1, everyCore = false } = options
  const ports: number[] = []
  for (let node = 0; node < nodes; node += 1) ports.push(await freePort())
  const issuer = `http://localhost:${ports[0]}/`
  const settings = {
    ...built(root),
    Server__Host: '127.0.0.1',
    OAuth__Issuer: issuer,
    OAuth__AccessTokenAlgorithm: algorithm,
    OAuth__IdentityTokenAlgorithm: algorithm,
    // Codes are made beforehand, so that redeeming them can be timed alone.
    OAuth__AuthorizationCodeLifetime: '600',
    // A closed loop has more sign-ins under way than an office.
    RateLimit__LoginPerMinute: '100000',
    ...databaseSettings(folder, options.database),
    Log__Level: 'error',
    ...options.settings,
    ...(options.profiles && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profiles}` }),
  }
  const program = join(root, 'bin', 'latchkey')
  // Earlier revisions have a launcher that Node.js runs.
  const launcher = existsSync(program) ? [program] : [process.execPath, `${program}.js`]
  const started: Started[] = []
  // One after the other: the first makes the keys and the demo.
  for (const [node, port] of ports.entries()) {
    const env = { ...settings, Server__Port: String(port) }
    const command = [...launcher, 'serve', '--demo', ...(workers > 1 ? [`--workers=${workers}`] : [])]
    const path = '/.well-known/openid-configuration'
    const databaseFile = options.database === undefined ? sqliteFile(folder) : null
    const target = {
      name,
      product: 'latchkey' as const,
      issuer,
      port,
      databaseFile,
      refreshTokensFile,
      apiSecret: null,
      adminSecret: null,
      ...(options.counted && { counted: options.counted }),
    }
    started.push(
      await start({
        target,
        command,
        env,
        folder,
        core: everyCore ? null : node % serverCores,
        path,
        processes: workers,
      }),
    )
  }
  const apiSecret = await addApi([...launcher, 'client', 'add', 'bench-api'], settings, issuer)
  const adminSecret = await addAdmin([...launcher, 'client', 'add', 'bench-admin'], settings)
  return { ...together(started), apiSecret, adminSecret }
}

const builtRoots = new Set<string>()

/** Makes the bundle that is released and `npm start` runs, once. Earlier revisions have none and run their sources. */
function built(root: string): Readonly<Record<string, string>> {
  if (!existsSync(join(root, 'scripts', 'compiled-statements.ts'))) return {}
  if (!builtRoots.has(root)) execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'inherit' })
  builtRoots.add(root)
  return { LATCHKEY_BUILT: '1' }
}

/** Registers the client that introspects and pushes requests, at a server that runs. Null: this revision has no such clients. */
async function addApi(
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
  issuer: string,
): Promise<string | null> {
  const redirects = ['--grant', 'authorization_code', '--redirect-uri', 'http://localhost:5081/callback']
  const grants = ['--grant', 'client_credentials', '--scope', 'demo_api']
  const members = ['--confidential', ...grants, ...redirects, `resources+=${issuer}`]
  return secretOf(await runProgram(0, [...command, ...members], settings).catch(() => ''))
}

/** Registers the client that reads with the admin API. Null: this revision has none. */
async function addAdmin(
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string | null> {
  const members = ['--confidential', '--grant', 'client_credentials', '--scope', 'admin:read']
  return secretOf(await runProgram(0, [...command, ...members], settings).catch(() => ''))
}

const secretOf = (output: string): string | null => /shown only once: (\S+)/.exec(output)?.[1] ?? null

/** `address` undefined: an SQLite file in the folder. */
export function databaseSettings(folder: string, address: string | undefined): Record<string, string> {
  if (address === undefined) return { Database__Url: `sqlite:${sqliteFile(folder)}` }
  // With PostgreSQL a master key is asked for; it protects nothing that outlives this run.
  return { Database__Url: address, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
}

const sqliteFile = (folder: string) => join(folder, 'latchkey.db')

export function peerIsInstalled(): boolean {
  return existsSync(join(checkout, 'bench', 'node_modules', 'oidc-provider', 'package.json'))
}

export async function startPeer({ folder, algorithm }: { folder: string; algorithm: Algorithm }): Promise<Started> {
  const port = await freePort()
  const file = join(folder, 'peer.db')
  const program = join(checkout, 'bench', 'peer', 'server.ts')
  const issuer = `http://localhost:${port}/`
  const target = {
    name: 'peer',
    product: 'peer' as const,
    issuer,
    port,
    databaseFile: file,
    refreshTokensFile: null,
    apiSecret: peerApiSecret,
    adminSecret: null,
  }
  const command = [process.execPath, program, String(port), file, algorithm]
  const path = '/.well-known/openid-configuration'
  // The same runtime flags and memory settings as Latchkey starts itself with would be a handicap; it has the defaults.
  return start({ target, command, env: { NODE_ENV: 'production' }, folder, core: 0, path })
}

/** The server of `bare.ts`. */
export async function startBare(folder: string): Promise<Started> {
  const port = await freePort()
  const issuer = `http://localhost:${port}/`
  const target = {
    name: 'bare',
    product: 'bare' as const,
    issuer,
    port,
    databaseFile: join(folder, 'bare.db'),
    refreshTokensFile: null,
    apiSecret: null,
    adminSecret: null,
  }
  const command = [process.execPath, join(checkout, 'bench', 'bare.ts'), String(port), folder]
  return start({ target, command, env: {}, folder, core: 0, path: '/' })
}

type Start = {
  readonly target: Omit<Target, 'ports' | 'pids'> & { readonly product: Product; readonly port: number }
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  /** Null: any. */
  readonly core: number | null
  readonly path: string
  /** How many answer; with more than one, another watches over them. Default 1. */
  readonly processes?: number
}

async function start({ target, command, env, folder, core, path, processes = 1 }: Start): Promise<Started> {
  const { port, ...rest } = target
  const startedAt = performance.now()
  const child = spawnPinned(core, command, { cwd: folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-4000)
    })
  }
  while (!(await answers(port, path))) {
    const isOver = child.exitCode !== null || child.signalCode !== null
    if (isOver || performance.now() - startedAt > startsWithinMs) {
      await end(child)
      throw new Error(`${target.name} did not start: ${output.trim() || 'it said nothing'}`)
    }
    await wait(2)
  }
  const startedInMs = performance.now() - startedAt
  let pids = familyOf(child.pid as number)
  while (processes > 1 && pids.length <= processes) {
    await wait(20)
    pids = familyOf(child.pid as number)
  }
  return { ...rest, ports: [port], pids, startedInMs, stop: () => end(child) }
}

function together(nodes: readonly Started[]): Started {
  const [first] = nodes as [Started]
  return {
    ...first,
    ports: nodes.flatMap(({ ports }) => ports),
    pids: nodes.flatMap(({ pids }) => pids),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

/** The load generator, with a channel to it. */
export function startGenerator(): ChildProcess {
  const program = join(checkout, 'bench', 'generator', 'main.ts')
  const env = { BENCH_CORES: String(cores()) }
  return spawnPinned(generatorCore, [process.execPath, program], { cwd: checkout, env, channel: true })
}

/** Runs a program of ours to its end; what it printed. */
export async function runProgram(
  core: number,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawnPinned(core, command, { cwd: tmpdir(), env })
  let output = ''
  let problem = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    problem += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command.slice(1).join(' ')} failed: ${problem.trim()}`)
  return output
}

function spawnPinned(
  core: number | null,
  command: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; channel?: boolean },
): ChildProcess {
  const [program = '', ...parameters] = [...(core === null ? [] : pinTo(core)), ...command]
  const { PATH = '' } = process.env
  const child = spawn(program, parameters, {
    cwd: options.cwd,
    env: { PATH, ...options.env },
    stdio: [
      'ignore',
      options.channel ? 'inherit' : 'pipe',
      options.channel ? 'inherit' : 'pipe',
      ...(options.channel ? ['ipc' as const] : []),
    ],
    // Out of the terminal's reach: Ctrl+C is for this process, which then ends the others in order.
    detached: true,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  const patience = setTimeout(() => child.kill('SIGKILL'), endsWithinMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(patience)
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200))
    })
    asked.on('error', () => resolve(false)).end()
  })
}
