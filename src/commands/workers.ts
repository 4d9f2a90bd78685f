/**
 * `latchkey serve --workers N`: several processes behind one port. The kernel shares new connections out among those that
 * listen (SO_REUSEPORT), so nothing stands between a client and the process that answers it; they share the database and
 * nothing else, as nodes do. This process only watches: it starts them, passes signals on, and replaces one that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Settings } from '../settings.ts'
import { Refused } from './context.ts'
import { listenOrRefuse } from './listening.ts'

/** More than any machine gains from. */
const maxWorkers = 64
/** A worker that ends by itself is replaced after this long, so that one that cannot start does not spin. */
const replacedAfterMs = 1_000

/** The number behind `--workers`; undefined: not a number of workers. */
export function readWorkers(text: string): number | undefined {
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return workers >= 1 && workers <= maxWorkers ? workers : undefined
}

/** What a worker says to the process that watches it. */
export const readyMessage = 'ready'

/** Runs the workers until `stopped`; `reload` is what SIGHUP does meanwhile. Throws `Refused` when none can serve. */
export async function superviseWorkers(
  count: number,
  settings: Settings,
  signals: { readonly stopped: Promise<NodeJS.Signals>; reload: () => Promise<void> },
  log: Logger,
): Promise<void> {
  await checkThatWorkersCan(settings)
  const workers = new Map<number, ChildProcess>()
  let stopping = false

  /** Resolves once it answers; to false when it ended instead. */
  async function start(number: number): Promise<boolean> {
    const worker = spawn(
      process.execPath,
      [...process.execArgv, ...process.argv.slice(1), '--worker', String(number)],
      { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
    )
    workers.set(number, worker)
    const ended = once(worker, 'exit')
    const [message] = await Promise.race([once(worker, 'message'), ended])
    if (message !== readyMessage) {
      workers.delete(number)
      return false
    }
    void ended.then(([code, signal]) => replace(number, worker, { code, signal }))
    return true
  }

  async function replace(number: number, ended: ChildProcess, how: object): Promise<void> {
    workers.delete(number)
    if (stopping) return
    log.error({ worker: number, pid: ended.pid, ...how }, 'a worker ended; another one takes its place')
    // One that does not come up is tried again until it does: the others go on meanwhile.
    for (;;) {
      await wait(replacedAfterMs, undefined, { ref: false })
      if (stopping || (await start(number))) return
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    const running = [...workers.values()].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = running.map((worker) => once(worker, 'exit'))
    for (const worker of running) worker.kill('SIGTERM')
    await Promise.all(ended)
  }

  signals.reload = async () => {
    for (const worker of workers.values()) worker.kill('SIGHUP')
  }
  // The first makes the schema, the keys and the demo; the others then find everything in place.
  if (!(await start(1))) throw new Refused('the first worker could not start; its message is above.')
  const others = Array.from({ length: count - 1 }, (_, at) => start(at + 2))
  if ((await Promise.all(others)).includes(false)) {
    await stop()
    throw new Refused('a worker could not start; its message is above.')
  }
  log.info({ workers: count }, 'all workers answer')
  const signal = await signals.stopped
  log.info({ signal }, 'stopping')
  await stop()
}

/** What one of several would only find out when it is too late, or not at all. */
async function checkThatWorkersCan({ database, server }: Settings): Promise<void> {
  if (database.kind === 'sqlite-memory') {
    throw new Refused('Database:Url is sqlite::memory:, which workers cannot share. Set it to a file or a server.')
  }
  // Workers share the port with whoever else shares it, a service that was started twice included.
  const probe = createServer()
  await listenOrRefuse('Server', server, () => {
    const listening = once(probe, 'listening')
    probe.listen({ host: server.host, port: server.port })
    return listening
  })
  await new Promise((resolve) => probe.close(resolve))
}
