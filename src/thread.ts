/** Worker threads for work that must not block the event loop. */
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * Starts the program `name`, located beside `from` (an `import.meta.url`), in a thread. Limits its memory, because its
 * work is short-lived and small: the default young generation alone would take tens of megabytes.
 */
export function startThread(from: string, name: string, workerData?: unknown): Worker {
  // The same extension as the calling file: .ts in a checkout, .js in the published package.
  const file = new URL(`./${name}${extname(from)}`, from)
  const cache = getCompileCacheDir()
  return new Worker(file, {
    workerData,
    // The process's flags are meant for its main script only.
    execArgv: [],
    // Without the compile cache, the thread would load its own TypeScript stripper.
    env: cache ? { NODE_COMPILE_CACHE: cache } : {},
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64, stackSizeMb: 1 },
  })
}
