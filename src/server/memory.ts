/**
 * Returns unused memory to the system after the start and after busy periods. V8 would otherwise keep it until it
 * allocates again.
 */
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Repeating } from './repeating.ts'

const windowMs = 5_000
/**
 * So many quiet windows after a busy one trigger a collection. It discards optimized code, which refers weakly to objects of
 * requests that are over. A collection in every short pause would make the requests after it a tenth dearer, or more.
 */
const quietWindows = 5
/** Event-loop utilization from which the service counts as busy. */
const busyFrom = 0.05

/** Starts the timers; they do not keep the process alive. */
export function giveBackMemory({ repeat }: Pick<Repeating, 'repeat'>, log: Pick<Logger, 'warn'>): void {
  let before = performance.eventLoopUtilization()
  /** Windows since the last busy one; undefined: there was none since the last collection. */
  let quiet: number | undefined
  setTimeout(collect, 1_000).unref()
  // After the writer thread of a first start has ended, unless requests keep the service busy.
  setTimeout(() => quiet === undefined && collect(), 15_000).unref()
  const look = (): undefined => {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, before).utilization >= busyFrom
    before = now
    if (isBusy) quiet = 0
    else if (quiet !== undefined) quiet += 1
    if (quiet !== quietWindows) return
    quiet = undefined
    collect()
  }
  repeat(windowMs, look, 'unused memory could not be given back', log)
}

/** Does nothing without `--expose-gc`. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
