/**
 * The processes of a cluster: run by an account that PostgreSQL accepts, written to files, and gone with the test.
 *
 * PostgreSQL leaves the process group of Patroni, so a process belongs to a cluster by its working folder. A small shell
 * waits for its standard input to end, which happens however the test ends, also when it is killed. It then ends every
 * process that works below the folder, and removes the folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { unprivileged } from '../support/postgres.ts'

/** PostgreSQL is asked to stop at once, so that it gives its shared memory back; whatever is left later is killed. */
const script = `folder=$1
while read -r _; do :; done
for turn in $(seq 50); do
  found=
  for process in /proc/[0-9]*; do
    signal=KILL
    at=$(readlink "$process/cwd" 2>/dev/null)
    case $at in "$folder"/*/data) [ "$turn" -lt 10 ] && signal=QUIT;; esac
    case $at in "$folder"|"$folder"/*) found=yes; kill -s $signal "\${process#/proc/}" 2>/dev/null;; esac
  done
  [ -z "$found" ] && break
  sleep 0.1
done
rm -rf "$folder"`

export type Watchdog = {
  /** Ends every process below the folder, and removes it. */
  release(): Promise<void>
}

/** Guards an existing folder, given as an absolute path without symbolic links. */
export function guardFolder(folder: string): Watchdog {
  const shell = spawn('/bin/sh', ['-c', script, 'watchdog', folder], {
    cwd: '/',
    // Of its own process group, so that an interrupt from the terminal does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = once(shell, 'exit')
  // Must not keep a finished test process alive.
  for (const part of [shell, shell.stdin]) (part as unknown as { unref(): void }).unref()
  return {
    async release() {
      shell.ref()
      shell.stdin.end()
      await gone
    },
  }
}

const account = unprivileged()

/** Makes a folder that belongs to the account of the servers. */
export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}

/** Hands a file to the account of the servers. */
export function handOver(path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

export type Server = {
  readonly pid: number
  isRunning(): boolean
  /** What it wrote last. */
  output(): string
  /** Sends SIGKILL to the process, not to what it started, and waits for its end. */
  kill(): Promise<void>
}

/** Starts a program with `folder` as its working folder. Its output is appended to `<name>.log` there. */
export function startServer(
  name: string,
  command: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Server {
  const log = join(folder, `${name}.log`)
  const file = openSync(log, 'a', 0o600)
  const [program = '', ...parameters] = command
  const child: ChildProcess = spawn(program, parameters, {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', HOME: folder, ...env },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const ended = once(child, 'exit')
  child.unref()
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => readFileSync(log, 'utf8').slice(-4000),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The processes whose working folder is `folder` or below it. */
export function processesBelow(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const at = readlinkSync(`/proc/${pid}/cwd`)
        return at === folder || at.startsWith(`${folder}/`)
      } catch {
        // Of another account, or gone.
        return false
      }
    })
}

/** Sends SIGKILL to each of them, until there is none. */
export async function killBelow(folder: string): Promise<void> {
  await until(`no process is left in ${folder}`, 10_000, () => {
    const left = processesBelow(folder)
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Gone meanwhile.
      }
    }
    return left.length === 0
  })
}

/** Asks ten times a second until the answer is neither undefined nor false. Rejects after `ms` and says what it waited for. */
export async function until<T>(
  what: string,
  ms: number,
  ask: () => T | Promise<T>,
): Promise<Exclude<T, undefined | false>> {
  const beganAtMs = performance.now()
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
      last = undefined
    } catch (error) {
      last = error
    }
    if (performance.now() - beganAtMs > ms) {
      throw new Error(`waited ${Math.round(ms / 1000)} s in vain until ${what}`, { cause: last })
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}
