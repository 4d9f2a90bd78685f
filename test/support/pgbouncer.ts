/** A real PgBouncer for tests: the shipped file, with addresses, account and what a test says changed. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { unprivileged } from './postgres.ts'

export type PgBouncer = {
  readonly port: number
  /** Of the process that started it. */
  readonly pid: number
  /** The address of the same database through it. */
  through(database: string): string
  /** What it wrote. */
  output(): string
  /** Ends it at once, with every connection. */
  down(): Promise<void>
  up(): Promise<void>
  /** Writes and reads its file again. */
  reload(settings: PgBouncerSettings): void
  stop(): Promise<void>
}

/** Instead of those of the shipped file; undefined: removed. */
export type PgBouncerSettings = Readonly<Record<string, string | number | undefined>>

const pgbouncerFile = 'deploy/pgbouncer/pgbouncer.ini'

/** The program is outside of the path of most accounts. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version'], { env }).status === 0
}

/** `databasePort`: of the PostgreSQL behind it. */
export async function startPgBouncer(databasePort: number, settings: PgBouncerSettings): Promise<PgBouncer> {
  const account = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pgbouncer-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, '"postgres" ""\n')
  const write = (changed: PgBouncerSettings) =>
    writeFileSync(file, configuration({ databasePort, port, users }, { ...settings, ...changed }))
  write({})
  const shell = spawn('/bin/sh', ['-c', supervisor, folder, 'pgbouncer', file], {
    ...account,
    cwd: folder,
    env,
    // Of its own process group, so that an interrupt from the terminal reaches it through its input and in order.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()))
  let log = ''
  shell.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  /** Waits for a line that was not there at `from`. */
  const says = async (line: string, from: number): Promise<void> => {
    const timer = setTimeout(() => shell.stdin.end(), startsWithinMs)
    while (!log.slice(from).includes(line)) {
      await Promise.race([new Promise((resolve) => shell.stderr.once('data', resolve)), gone])
      assert.equal(shell.exitCode, null, `PgBouncer did not say '${line}':\n${log}`)
    }
    clearTimeout(timer)
  }
  await says('process up', 0)
  // Must not keep a finished test process alive.
  for (const part of [shell, shell.stdin, shell.stderr]) (part as unknown as { unref(): void }).unref()
  return {
    port,
    pid: shell.pid ?? 0,
    through(database) {
      const address = new URL(database)
      address.port = String(port)
      return address.href
    },
    output: () => log,
    async down() {
      const from = log.length
      shell.stdin.write('down\n')
      await says('is down', from)
    },
    async up() {
      const from = log.length
      shell.stdin.write('up\n')
      await says('process up', from)
    },
    reload(changed) {
      write(changed)
      shell.stdin.write('reload\n')
    },
    async stop() {
      shell.ref()
      shell.stdin.end()
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Long enough for a machine that is busy with other tests. */
const startsWithinMs = 180_000

/** Takes the program down and up as it is told, and ends it at the end of its input. */
const supervisor =
  '"$@" & pooler=$!; while read -r word; do case $word in down) kill -TERM $pooler; wait $pooler; echo is down >&2;; ' +
  'up) "$@" & pooler=$!;; reload) kill -HUP $pooler;; esac; done; kill -TERM $pooler; wait $pooler; cd / && rm -rf "$0"'

type Places = { readonly databasePort: number; readonly port: number; readonly users: string }

function configuration({ databasePort, port, users }: Places, settings: PgBouncerSettings): string {
  const own = { listen_port: port, auth_type: 'trust', auth_file: users, ...settings }
  const databases = readFileSync(new URL(`../../${pgbouncerFile}`, import.meta.url), 'utf8').replace(
    /^latchkey = .*$/m,
    `* = host=127.0.0.1 port=${databasePort}`,
  )
  const text = Object.entries(own).reduce((before, [name, value]) => {
    const line = value === undefined ? '' : `${name} = ${value}`
    const pattern = new RegExp(`^${name} =.*$`, 'm')
    return pattern.test(before) ? before.replace(pattern, line) : `${before}${line}\n`
  }, databases)
  assert.ok(text.includes(`port=${databasePort}`), 'the shipped file names no database')
  return text
}
