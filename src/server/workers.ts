/**
 * `latchkey serve --workers N`: several processes on one port. The kernel distributes new connections among them
 * (SO_REUSEPORT), without a proxy in between. As with nodes, workers share only the database. This parent process
 * starts them, forwards signals, and replaces workers that end or hang.
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

/** More than any machine benefits from. */
const maxWorkers = 64
/** Delay before a worker that ended is replaced, so that one that cannot start does not spin. */
const replacedAfterMs = 1_000

const highestPort = 65_535
/** Wildcard addresses. */
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Returns the value of `--workers`; undefined: invalid. */
export function readWorkers(text: string): number | undefined {
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return workers >= 1 && workers <= maxWorkers ? workers : undefined
}

/** Sent to the process that started this one, if that listens: everything is ready, and was announced. */
export const readyMessage = 'ready'

/** Logged when the operating system cannot start a process. */
const notStarted = 'a worker could not be started'

type Worker = {
  readonly child: ChildProcess
  /** Resolves when it answers requests. */
  readonly ready: Promise<undefined>
  /** How it ended; `problem` if it could not start. Never rejects. */
  readonly ended: Promise<{ code?: number | null; signal?: NodeJS.Signals | null; problem?: string }>
  /** Whether it handles SIGHUP, which would end it before. */
  isReady: boolean
} & Beating

/** Runs the workers until `stopped`. SIGHUP calls `reload` meanwhile. Throws `Refused` if no worker can serve. */
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

  /** Resolves to true when it answers requests, and to false if it ended or could not start. Never rejects. */
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
    // It may have read its settings before a reload that was requested meanwhile.
    if (reloads !== reloadsBefore) worker.child.kill('SIGHUP')
    void worker.ended.then((how) => replace(number, worker.child, how))
    return true
  }

  async function replace(number: number, ended: ChildProcess, how: object): Promise<void> {
    workers.delete(number)
    if (stopping.signal.aborted) return
    log.error({ worker: number, pid: ended.pid, ...how }, 'a worker ended; another one takes its place')
    // Retries until the worker is up, while the others keep serving. Without others, this timer alone keeps the process
    // alive.
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
  // Also applies during the start: the first worker may be waiting for the database.
  const stopped = signals.stopped.then(async (signal) => {
    log.info({ signal }, 'stopping')
    await stop()
  })
  // A hanging worker would ignore the request to stop, so heartbeats are checked until the end.
  const watch = watchBeats(settings.server.workerTimeoutSeconds, () => workers.entries(), log)
  // The first worker creates the schema, the keys and the demo; the others find them in place.
  if (!(await start(1)) && !stopping.signal.aborted) {
    throw new Refused('the first worker could not start; its message is above.')
  }
  const others = Array.from({ length: count - 1 }, (_, at) => start(at + 2))
  if ((await Promise.all(others)).includes(false) && !stopping.signal.aborted) {
    await stop()
    throw new Refused('a worker could not start; its message is above.')
  }
  if (!stopping.signal.aborted) {
    log.info({ workers: count }, 'all workers answer')
    process.send?.(readyMessage)
  }
  await stopped
}

/**
 * Starts the same program with the same parameters and the worker's number. Throws if the system is out of resources.
 */
function spawnWorker(number: number): Worker {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--worker', String(number)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const ready: Worker['ready'] = new Promise((resolve) => {
    child.on('message', (message) => message === readyMessage && resolve(undefined))
  })
  const ended: Worker['ended'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    // For a running process, an error concerns a signal or message and not its end.
    child.on('error', ({ message }) => child.pid === undefined && resolve({ problem: message }))
  })
  return { child, ready, ended, isReady: false, beats: countBeats(child) }
}

/** Checks what a single worker would detect too late or not at all. */
async function checkThatWorkersCan({ database, server, metrics }: Settings, count: number): Promise<void> {
  if (database.url.kind === 'sqlite-memory') {
    throw new Refused('Database:Url is sqlite::memory:, which workers cannot share. Set it to a file or a server.')
  }
  checkPorts(server, metrics, count)
  // Workers would share the port with any other process that shares it, such as the same service started twice.
  const probe = createServer()
  await listenOrRefuse('Server', server, () => {
    const listening = once(probe, 'listening')
    probe.listen({ host: server.host, port: server.port })
    return listening
  })
  await new Promise((resolve) => probe.close(resolve))
}

/** Throws `Refused` if a worker's own ports are out of range or collide with the service's. */
function checkPorts(server: Settings['server'], metrics: Settings['metrics'], count: number): void {
  if (server.port === 0) {
    throw new Refused(
      'Server:Port is 0, so each worker would take a different port. Set a port, or leave out --workers.',
    )
  }
  // With port 0 each worker takes a free one.
  if (metrics.port === null || metrics.port === 0) return
  const last = metrics.port + count - 1
  const range = `Metrics:Port is ${metrics.port}, so ${count} workers serve their metrics on the ports up to ${last}`
  if (last > highestPort) throw new Refused(`${range}, but ${highestPort} is the highest. Choose a lower one.`)
  const isAmongThem = server.port >= metrics.port && server.port <= last
  if (isAmongThem && shareAddress(server.host, metrics.host)) {
    throw new Refused(`${range}, but ${server.port} is Server:Port. Change one of the two.`)
  }
}

/** Whether two addresses overlap when they use the same port. */
function shareAddress(one: string, other: string): boolean {
  return one === other || everyAddress.has(one) || everyAddress.has(other)
}
