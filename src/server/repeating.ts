/**
 * Work that is repeated while the service runs. An idle service rests: everything comes up together, once a minute, so that
 * the process sleeps in between. The next request, or a commit that changed something, brings back the usual intervals.
 */
import type { Logger } from 'pino'

/** How long nothing has to happen, at least; a repeated delivery of a logout token comes within it. Twice as long at most. */
const quietMs = 90_000
/** Interval of everything while the service rests. Bounds how late work is noticed that another process left unnoticed. */
export const restingEveryMs = 60_000

export type Repeated = {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

/** Called when a rest begins. A call of `awaken` ends it; the returned function is called when it has ended. */
export type BeginRest = (awaken: () => void) => () => void

/** `nextMs`: after how long the next call is due. */
export type Work = (nextMs: number) => Promise<void> | undefined

export type Repeating = {
  /** Runs `work` periodically, never concurrently. A failure is logged, and the next run retries. */
  repeat(everyMs: number, work: Work, failure: string, log: Pick<Logger, 'warn'>): Repeated
  /** Reports that something happens. */
  awaken(): void
}

type Task = { readonly everyMs: number; readonly run: (nextMs: number) => void; timer: NodeJS.Timeout | undefined }

/**
 * `beginRest`: called when a rest begins; what it returns, when it ends. Absent: there is no rest. `isQuiet`: whether nothing is
 * under way, such as an answer that goes on for long; default: it is. Timers keep no process alive.
 */
export function repeating(beginRest?: BeginRest, isQuiet = () => true): Repeating {
  const tasks = new Set<Task>()
  let hasHappened = false
  let isResting = false
  /** Awake: decides whether to rest. Resting: runs everything. */
  let common: NodeJS.Timeout | undefined
  let endRest = () => {}

  function begin(task: Task): void {
    task.timer = setInterval(task.run, task.everyMs, task.everyMs).unref()
  }

  function runAll(): void {
    for (const { run } of tasks) run(restingEveryMs)
  }

  function decide(): void {
    if (hasHappened || !isQuiet()) {
      hasHappened = false
      return
    }
    isResting = true
    clearInterval(common)
    for (const { timer } of tasks) clearInterval(timer)
    common = setInterval(runAll, restingEveryMs).unref()
    endRest = beginRest?.(awaken) ?? endRest
    // Tells each that its next call is later than it knows.
    runAll()
  }

  function wake(): void {
    isResting = false
    endRest()
    clearInterval(common)
    common = setInterval(decide, quietMs).unref()
    tasks.forEach(begin)
  }

  function awaken(): void {
    hasHappened = true
    if (isResting) wake()
  }

  return {
    awaken,
    repeat(everyMs, work, failure, log) {
      let running: Promise<void> | undefined
      const run = (nextMs: number): void => {
        if (running !== undefined) return
        running = work(nextMs)
          ?.catch((error: Error) => log.warn({ reason: error.message }, failure))
          .finally(() => {
            running = undefined
          })
      }
      const task: Task = { everyMs, run, timer: undefined }
      tasks.add(task)
      if (!isResting) begin(task)
      if (beginRest !== undefined) common ??= setInterval(decide, quietMs).unref()
      return {
        async stop() {
          tasks.delete(task)
          clearInterval(task.timer)
          if (tasks.size === 0) {
            clearInterval(common)
            common = undefined
            endRest()
          }
          await running
        },
      }
    },
  }
}
