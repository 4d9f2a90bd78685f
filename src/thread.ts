/** Threads of this process for work that must not hold up the event loop. */
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * Starts the program `name` beside `from` (an `import.meta.url`) in a thread. What such threads do is short-lived and
 * small, and so is their memory: the default young generation alone would hold tens of megabytes.
 */
export function startThread(from: string, name: string, workerData?: unknown): Worker {
  // The same extension as the file that asks: .ts in a checkout, .js in a published package.
  const file = new URL(`./${name}${extname(from)}`, from)
  const cache = getCompileCacheDir()
  return new Worker(file, {
    workerData,
    // Flags of the process that are meant for its main script.
    execArgv: [],
    // Without the cache the thread loads a TypeScript stripper of its own.
    env: cache ? { NODE_COMPILE_CACHE: cache } : {},
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64, stackSizeMb: 1 },
  })
}
