/** Detects hanging workers: each sends a heartbeat every second while its event loop runs. */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'

const aliveMessage = 'alive'
const everyMs = 1000

/** Starts sending heartbeats from a worker. Does not keep the process alive. */
export function beat(): void {
  const say = (): void => {
    // The parent may be gone; the worker is about to stop then.
    if (process.connected) process.send?.(aliveMessage, undefined, undefined, () => {})
  }
  say()
  setInterval(say, everyMs).unref()
}

export type Beating = {
  readonly child: ChildProcess
  /** Whether it answers requests yet. */
  readonly isReady: boolean
  /** Returns the number of heartbeats so far. */
  readonly beats: () => number
}

export function countBeats(child: ChildProcess): Beating['beats'] {
  let count = 0
  child.on('message', (message) => {
    if (message === aliveMessage) count += 1
  })
  return () => count
}

/** A starting worker loads its modules and may take longer on a busy machine. */
const startingSeconds = 60

/**
 * Kills a worker that has been silent for `seconds` since its first heartbeat; its exit is handled where it was
 * started. Counts only seconds in which this process itself ran, so that a suspended machine does not make workers look
 * silent.
 */
export function watchBeats(
  seconds: number,
  workers: () => Iterable<readonly [number: number, worker: Beating]>,
  log: Logger,
): { end(): void } {
  let known = new Map<ChildProcess, { readonly beats: number; readonly silentSeconds: number }>()
  const killed = new WeakSet<ChildProcess>()
  const timer = setInterval(() => {
    const next: typeof known = new Map()
    for (const [number, { child, beats, isReady }] of workers()) {
      const before = known.get(child)
      const silentSeconds = before !== undefined && before.beats === beats() ? before.silentSeconds + 1 : 0
      if (beats() > 0) next.set(child, { beats: beats(), silentSeconds })
      if (silentSeconds < (isReady ? seconds : Math.max(seconds, startingSeconds)) || killed.has(child)) continue
      killed.add(child)
      log.error({ worker: number, pid: child.pid, silentSeconds }, 'a worker hangs; it is killed')
      child.kill('SIGKILL')
    }
    known = next
  }, everyMs)
  timer.unref()
  return { end: () => clearInterval(timer) }
}
