/** Worker threads for work that must not block the event loop. */
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread that answers one request at a time. Keeps the process alive only while it works on a request. */
export type Thread<Request, Answer> = {
  /** Resolves to the next message of the thread. Rejects with `ThreadEnded` when the thread ends first. */
  ask<Reply extends Answer>(request: Request): Promise<Reply>
  /** Sends a request to end. Resolves when the thread has ended; rejects with `ThreadEnded` when it failed. */
  end(request: Request): Promise<void>
  /** Ends the thread immediately. */
  terminate(): void
}

export type ThreadOptions = {
  /** Its `workerData`. */
  readonly data?: unknown
  /**
   * Called once when the thread has ended or failed, whether or not a request is pending. The thread must not be used
   * any more.
   */
  readonly onEnd?: () => void
  /** Gives the thread the environment of the process, without limits on its memory. */
  readonly likeProcess?: boolean
}

/** A thread ended before it answered. `cause`: its error, if any. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** Short, small work needs little memory; the default young generation alone would take tens of megabytes. */
const bounds = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64, stackSizeMb: 1 }

/** Starts the program `name` beside `from` (an `import.meta.url`). */
export function startThread<Request, Answer>(
  from: string,
  name: string,
  { data, onEnd, likeProcess = false }: ThreadOptions = {},
): Thread<Request, Answer> {
  // The same extension as the calling file: .ts in a checkout, .js in a published package.
  const file = new URL(`./${name}${extname(from)}`, from)
  const cache = getCompileCacheDir()
  const worker = new Worker(file, {
    workerData: data,
    // The flags of the process are meant for its main script only.
    execArgv: [],
    // Without the cache the thread loads its own TypeScript stripper.
    ...(!likeProcess && { env: cache ? { NODE_COMPILE_CACHE: cache } : {}, resourceLimits: bounds }),
  })
  let isOver = false
  let waiting: PromiseWithResolvers<unknown> | undefined
  let ending: PromiseWithResolvers<void> | undefined

  function over(failure?: { readonly cause: unknown }): void {
    if (isOver) return
    isOver = true
    onEnd?.()
    const error = new ThreadEnded(`The thread ${name} ended.`, failure)
    waiting?.reject(error)
    if (failure === undefined) ending?.resolve()
    else ending?.reject(error)
  }
  worker
    .on('message', (answer) => {
      worker.unref()
      waiting?.resolve(answer)
      waiting = undefined
    })
    // Without a listener an error would end the process.
    .on('error', (cause) => over({ cause }))
    .on('exit', () => over())

  function send<Result>(request: Request): PromiseWithResolvers<Result> {
    const result = Promise.withResolvers<Result>()
    if (isOver) result.reject(new ThreadEnded(`The thread ${name} has ended.`))
    else {
      worker.ref()
      worker.postMessage(request)
    }
    return result
  }
  return {
    ask<Reply extends Answer>(request: Request) {
      waiting = send(request)
      return waiting.promise as Promise<Reply>
    },
    end(request) {
      ending = send(request)
      return ending.promise
    },
    terminate: () => void worker.terminate(),
  }
}
