/**
 * `latchkey serve --workers N`: several processes behind one port. The kernel shares new connections out among those that
 * listen (SO_REUSEPORT), so nothing stands between a client and the process that answers it; they share the database and
 * nothing else, as nodes do. This process only watches: it starts them, passes signals on, and replaces one that ends or hangs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { type Beating, countBeats, watchBeats } from './heartbeat.ts'
import { listenOrRefuse } from './listening.ts'
import { Refused } from './refused.ts'

/** More than any machine gains from. */
const maxWorkers = 64
/** A worker that ends by itself is replaced after this long, so that one that cannot start does not spin. */
const replacedAfterMs = 1_000

const highestPort = 65_535
/** Names of all addresses of a machine. */
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The number behind `--workers`; undefined: not a number of workers. */
export function readWorkers(text: string): number | undefined {
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return workers >= 1 && workers <= maxWorkers ? workers : undefined
}

/** What a worker says to the process that watches it. */
export const readyMessage = 'ready'

/** Logged when the operating system would not start a process. */
const notStarted = 'a worker could not be started'

type Worker = {
  readonly child: ChildProcess
  /** Resolves when it answers. */
  readonly ready: Promise<undefined>
  /** How it ended; with `problem` when it could not even begin. Never rejects. */
  readonly ended: Promise<{ code?: number | null; signal?: NodeJS.Signals | null; problem?: string }>
  /** It knows what SIGHUP asks for, too: before that, the signal would end it. */
  isReady: boolean
} & Beating

/** Runs the workers until `stopped`; `reload` is what SIGHUP does meanwhile. Throws `Refused` when none can serve. */
export async function superviseWorkers(
  count: number,
  settings: Settings,
  signals: { readonly stopped: Promise<NodeJS.Signals>; reload: () => Promise<void> },
  log: Logger,
): Promise<void> {
  await checkThatWorkersCan(settings, count)
  const workers = new Map<number, Worker>()
  const stopping = new AbortController()
  let reloads = 0

  /** Resolves once it answers; to false when it ended instead, or could not begin. Never rejects. */
  async function start(number: number): Promise<boolean> {
    if (stopping.signal.aborted) return false
    const reloadsBefore = reloads
    let worker: Worker
    try {
      worker = spawnWorker(number)
    } catch (error) {
      log.error({ worker: number, problem: (error as Error).message }, notStarted)
      return false
    }
    workers.set(number, worker)
    const failure = await Promise.race([worker.ready, worker.ended])
    if (failure !== undefined) {
      workers.delete(number)
      if (failure.problem !== undefined) log.error({ worker: number, ...failure }, notStarted)
      return false
    }
    worker.isReady = true
    // What it read may be older than what was asked for meanwhile.
    if (reloads !== reloadsBefore) worker.child.kill('SIGHUP')
    void worker.ended.then((how) => replace(number, worker.child, how))
    return true
  }

  async function replace(number: number, ended: ChildProcess, how: object): Promise<void> {
    workers.delete(number)
    if (stopping.signal.aborted) return
    log.error({ worker: number, pid: ended.pid, ...how }, 'a worker ended; another one takes its place')
    // One that does not come up is tried again until it does: the others go on meanwhile. When there are no others, the
    // timer is all that keeps this process from ending.
    do {
      await wait(replacedAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    } while (!stopping.signal.aborted && !(await start(number)))
  }

  async function stop(): Promise<void> {
    stopping.abort()
    const running = [...workers.values()]
    for (const { child } of running) child.kill('SIGTERM')
    await Promise.all(running.map(({ ended }) => ended))
    watch.end()
  }

  signals.reload = async () => {
    reloads += 1
    for (const { child, isReady } of workers.values()) if (isReady) child.kill('SIGHUP')
  }
  // Also while they start: the first one may wait for the database.
  const stopped = signals.stopped.then(async (signal) => {
    log.info({ signal }, 'stopping')
    await stop()
  })
  // A worker that hangs would not hear that it is to stop, so it is watched to the end.
  const watch = watchBeats(settings.server.workerTimeoutSeconds, () => workers.entries(), log)
  // The first makes the schema, the keys and the demo; the others then find everything in place.
  if (!(await start(1)) && !stopping.signal.aborted) {
    throw new Refused('the first worker could not start; its message is above.')
  }
  const others = Array.from({ length: count - 1 }, (_, at) => start(at + 2))
  if ((await Promise.all(others)).includes(false) && !stopping.signal.aborted) {
    await stop()
    throw new Refused('a worker could not start; its message is above.')
  }
  if (!stopping.signal.aborted) log.info({ workers: count }, 'all workers answer')
  await stopped
}

/** The same program with the same parameters, and which worker it is. Throws when the system has nothing left for it. */
function spawnWorker(number: number): Worker {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--worker', String(number)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const ready: Worker['ready'] = new Promise((resolve) => {
    child.on('message', (message) => message === readyMessage && resolve(undefined))
  })
  const ended: Worker['ended'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    // Of a process that runs, an error is that of a signal or a message, and not its end.
    child.on('error', ({ message }) => child.pid === undefined && resolve({ problem: message }))
  })
  return { child, ready, ended, isReady: false, beats: countBeats(child) }
}

/** What one of several would only find out when it is too late, or not at all. */
async function checkThatWorkersCan({ database, server, metrics }: Settings, count: number): Promise<void> {
  if (database.url.kind === 'sqlite-memory') {
    throw new Refused('Database:Url is sqlite::memory:, which workers cannot share. Set it to a file or a server.')
  }
  checkPorts(server, metrics, count)
  // Workers share the port with whoever else shares it, a service that was started twice included.
  const probe = createServer()
  await listenOrRefuse('Server', server, () => {
    const listening = once(probe, 'listening')
    probe.listen({ host: server.host, port: server.port })
    return listening
  })
  await new Promise((resolve) => probe.close(resolve))
}

/** Throws `Refused` when the ports of the workers' own numbers are none, or the service's own. */
function checkPorts(server: Settings['server'], metrics: Settings['metrics'], count: number): void {
  if (server.port === 0) {
    throw new Refused(
      'Server:Port is 0, and each worker would take another port. Set it to one, or leave out --workers.',
    )
  }
  // Under 0 each takes a free one.
  if (metrics.port === null || metrics.port === 0) return
  const last = metrics.port + count - 1
  const range = `Metrics:Port is ${metrics.port}, so ${count} workers show their numbers under the ports up to ${last}`
  if (last > highestPort) throw new Refused(`${range}, but ${highestPort} is the highest. Choose a lower one.`)
  const isAmongThem = server.port >= metrics.port && server.port <= last
  if (isAmongThem && shareAddress(server.host, metrics.host)) {
    throw new Refused(`${range}, but ${server.port} is Server:Port. Choose another one for either.`)
  }
}

/** Whether listening on both, under one port, is listening twice on one address. */
function shareAddress(one: string, other: string): boolean {
  return one === other || everyAddress.has(one) || everyAddress.has(other)
}
