/**
 * Returns unused memory to the system after a start and after a busy time. Otherwise V8 keeps it for as long as nothing else
 * is allocated.
 */
import { performance } from 'node:perf_hooks'

/** A quiet period of this length triggers a collection. */
const windowMs = 5_000
/** Event-loop utilization from which the service counts as busy. */
const busyFrom = 0.05

/** Starts the timers; they do not keep the process alive. */
export function giveBackMemory(): void {
  // Once at rest, and once more when the writer of a first start has gone too.
  for (const afterMs of [1_000, 15_000]) setTimeout(collect, afterMs).unref()
  let before = performance.eventLoopUtilization()
  let wasBusy = false
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, before).utilization >= busyFrom
    if (wasBusy && !isBusy) collect()
    before = now
    wasBusy = isBusy
  }, windowMs).unref()
}

/** Does nothing without `--expose-gc`. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
