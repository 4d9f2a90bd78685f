/**
 * Gives back memory that the service does not need any more. What a start or a busy hour leaves behind, V8 would keep for
 * as long as nothing else is allocated: 8 MB after a start, some 30 after a load.
 */
import { performance } from 'node:perf_hooks'

/** How long the service has to be quiet. */
const windowMs = 5_000
/** Of the time of the event loop: less is quiet. */
const busyFrom = 0.05

/** Begins to watch; never keeps the process alive. */
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

/** Takes a few milliseconds. Without the flag that allows it, nothing happens. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
