/** Parts of the program that are loaded when they are first needed, or beside requests. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** After a load, requests have this many times as long for themselves, and at least so many milliseconds. */
const restFactor = 4
const restAtLeastMs = 20

/**
 * Loads one part after the other beside requests: a load holds up the event loop, and is followed by a rest. Ends early when
 * `isEnded`. A part that cannot be loaded is left to whoever needs it. Keeps no process alive.
 */
export async function loadBeside(parts: readonly (() => Promise<unknown>)[], isEnded: () => boolean): Promise<void> {
  for (const load of parts) {
    if (isEnded()) return
    const startedAtMs = performance.now()
    await load().catch(() => {})
    const tookMs = performance.now() - startedAtMs
    await wait(Math.max(restAtLeastMs, restFactor * tookMs), undefined, { ref: false })
  }
}

/**
 * Returns a function that provides what `load` resolves to, and loads it with its first call. Calls that come meanwhile
 * share that load. A load that fails is an error of these calls, and the next call tries again.
 */
export function onDemand<Part extends object>(load: () => Promise<Part>): () => Part | Promise<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined
  const start = async (): Promise<Part> => {
    try {
      loaded = await load()
      return loaded
    } finally {
      loading = undefined
    }
  }
  return () => {
    if (loaded !== undefined) return loaded
    loading ??= start()
    return loading
  }
}
