/**
 * What a service does while nobody asks it for anything: how often each thread wakes up, and what the process writes.
 * Everything comes from /proc, so the measurement itself wakes no thread.
 *
 *   node bench/idle.ts [--minutes N] [--settle N] [--postgres] [--json]    default 10 minutes, after 5 to come to rest
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDurablePostgres } from './database.ts'
import { commitCount } from './machine.ts'
import { table, whole } from './report.ts'
import { cleanUp, cleanUpAtOnce, newFolder, type Started, startLatchkey } from './servers.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    settle: { type: 'string', default: '5' },
    postgres: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** How often the counters are read. Wake-ups within it count as one: a thread that works blocks and goes on many times. */
const everyMs = 1000

/** `woken`: periods of a second in which any of these threads ran. */
type Threads = { readonly name: string; readonly count: number; readonly switches: number; readonly woken: number }

export type Idle = {
  readonly database: string
  readonly seconds: number
  readonly threads: readonly Threads[]
  /** Periods in which the main thread ran, in the minute that had most of them. */
  readonly busiestMinute: number
  /** Bytes that reached the disk, and write calls, of which most are wake-ups of a thread by another one. */
  readonly diskBytes: number
  readonly writeCalls: number
  /** Null: not SQLite. */
  readonly commits: number | null
}

type Thread = { readonly name: string; readonly switches: number }

/** Threads by id. One that ended meanwhile is left out. */
function threadsOf(pid: number): Map<string, Thread> {
  const found = new Map<string, Thread>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'latin1')
      const count = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      const name = Number(id) === pid ? 'main' : (/^Name:\s+(.*)$/m.exec(status)?.[1] ?? '')
      // Each return to rest is a voluntary switch; a long turn has involuntary ones, too, which are no wake-ups.
      found.set(id, { name, switches: count('voluntary_ctxt_switches') })
    } catch {
      // The thread has ended since the folder was read.
    }
  }
  return found
}

function writtenBy(pid: number): { readonly diskBytes: number; readonly writeCalls: number } {
  const text = readFileSync(`/proc/${pid}/io`, 'latin1')
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { diskBytes: count('write_bytes'), writeCalls: count('syscw') }
}

async function measureIdle(server: Started, seconds: number, database: string): Promise<Idle> {
  const [pid] = server.pids as readonly [number]
  const { databaseFile } = server
  const commits = () => (databaseFile === null ? null : commitCount(databaseFile))
  const sums = new Map<string, { count: number; switches: number; woken: number }>()
  const mainRan: boolean[] = []
  const before = { ...writtenBy(pid), commits: commits() }
  let last = threadsOf(pid)
  const startedAt = performance.now()
  for (let period = 1; period * everyMs <= seconds * 1000; period += 1) {
    await wait(startedAt + period * everyMs - performance.now())
    const now = threadsOf(pid)
    const woken = new Map<string, { count: number; switches: number }>()
    for (const [id, { name, switches }] of now) {
      const one = woken.get(name) ?? { count: 0, switches: 0 }
      woken.set(name, one)
      one.count += 1
      // One that was started meanwhile has all its switches in this period.
      one.switches += switches - (last.get(id)?.switches ?? 0)
    }
    last = now
    for (const [name, { count, switches }] of woken) {
      const sum = sums.get(name) ?? { count: 0, switches: 0, woken: 0 }
      sums.set(name, sum)
      sum.count = Math.max(sum.count, count)
      sum.switches += switches
      if (switches > 0) sum.woken += 1
    }
    mainRan.push((woken.get('main')?.switches ?? 0) > 0)
  }
  const after = { ...writtenBy(pid), commits: commits() }
  return {
    database,
    seconds,
    threads: [...sums].map(([name, sum]) => ({ name, ...sum })),
    busiestMinute: mostInAMinute(mainRan),
    diskBytes: after.diskBytes - before.diskBytes,
    writeCalls: after.writeCalls - before.writeCalls,
    commits: before.commits === null || after.commits === null ? null : (after.commits - before.commits) >>> 0,
  }
}

function mostInAMinute(ran: readonly boolean[]): number {
  const periods = 60_000 / everyMs
  let most = 0
  for (let from = 0; from < ran.length; from += periods) {
    most = Math.max(most, ran.slice(from, from + periods).filter(Boolean).length)
  }
  return most
}

function idleText({ database, seconds, threads, busiestMinute, diskBytes, writeCalls, commits }: Idle): string {
  const minutes = seconds / 60
  const rows = threads.map(({ name, count, switches, woken }) => [
    count === 1 ? name : `${name} (${count})`,
    whole(woken),
    (woken / minutes).toFixed(1),
    whole(switches),
  ])
  const work = `${whole(diskBytes)} bytes to the disk, ${whole(writeCalls)} write calls`
  return [
    `At rest on ${database}, ${minutes.toFixed(1)} minutes`,
    table(['thread', 'wake-ups', 'a minute', 'switches'], rows),
    `  most wake-ups of the main thread in a minute: ${busiestMinute}`,
    `  written: ${work}${commits === null ? '' : `, ${commits} commits`}`,
  ].join('\n')
}

process.on('exit', cleanUpAtOnce)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const database = values.postgres ? await startDurablePostgres() : undefined
try {
  const address = await database?.createDatabase()
  const server = await startLatchkey({ folder: newFolder(), algorithm: 'ES256', database: address })
  process.stderr.write(`waiting ${values.settle} minutes until the service rests …\n`)
  await wait(Number(values.settle) * 60_000)
  const idle = await measureIdle(
    server,
    Math.round(Number(values.minutes) * 60),
    values.postgres ? 'PostgreSQL' : 'SQLite',
  )
  process.stdout.write(`${values.json ? JSON.stringify(idle) : idleText(idle)}\n`)
} finally {
  await cleanUp()
  await database?.stop()
}
