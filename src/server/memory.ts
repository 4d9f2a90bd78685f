/**
 * Returns unused memory to the system after the start and after busy periods. V8 would otherwise keep it until it
 * allocates again.
 */
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Repeating } from './repeating.ts'

/** A quiet period of this length triggers a collection. */
const windowMs = 5_000
/** Event-loop utilization from which the service counts as busy. */
const busyFrom = 0.05

/** Starts the timers; they do not keep the process alive. */
export function giveBackMemory({ repeat }: Pick<Repeating, 'repeat'>, log: Pick<Logger, 'warn'>): void {
  // The second collection comes after the writer thread of a first start has ended.
  for (const afterMs of [1_000, 15_000]) setTimeout(collect, afterMs).unref()
  let before = performance.eventLoopUtilization()
  let wasBusy = false
  const look = (): undefined => {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, before).utilization >= busyFrom
    if (wasBusy && !isBusy) collect()
    before = now
    wasBusy = isBusy
  }
  repeat(windowMs, look, 'unused memory could not be given back', log)
}

/** Does nothing without `--expose-gc`. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
