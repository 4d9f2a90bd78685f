/** Work that is repeated while the service runs. */
import type { Logger } from 'pino'

export type Repeated = {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

/** Runs `work` periodically, never concurrently. A failure is logged, and the next run retries. */
export function repeat(everyMs: number, work: () => Promise<void>, failure: string, log: Logger): Repeated {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: Error) => log.warn({ reason: error.message }, failure))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
