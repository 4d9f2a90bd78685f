/**
 * How the process that watches the workers notices one that hangs: each says every second that it is alive, as long as its
 * event loop turns.
 */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'

const aliveMessage = 'alive'
const everyMs = 1000

/** In a worker: says that it is alive from now on. Does not keep the process from ending. */
export function beat(): void {
  const say = (): void => {
    // The parent may have gone; the worker is about to stop then.
    if (process.connected) process.send?.(aliveMessage, undefined, undefined, () => {})
  }
  say()
  setInterval(say, everyMs).unref()
}

export type Beating = {
  readonly child: ChildProcess
  /** Whether it has come so far as to answer requests. */
  readonly isReady: boolean
  /** How often it has said so. */
  readonly beats: () => number
}

export function countBeats(child: ChildProcess): Beating['beats'] {
  let count = 0
  child.on('message', (message) => {
    if (message === aliveMessage) count += 1
  })
  return () => count
}

/** A worker that starts loads its modules and may be held up longer, on a machine with much to do. */
const startingSeconds = 60

/**
 * Kills a worker that has been silent for `seconds`, counted from its first sign of life; whoever started it sees its end.
 * The seconds are those in which this process ran itself: a machine that was suspended makes nobody silent.
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
