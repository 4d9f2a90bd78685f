import { StorageUnavailable } from '../port/unavailable.ts'

export type Turns = {
  /**
   * Resolves when it is the caller's turn, to the function that ends it; to be called exactly once. Rejects with
   * `StorageUnavailable` when too many wait already, or when the turn does not come in time: nothing was asked then.
   */
  take(): Promise<() => void>
  /** How many are at it, and how many wait. */
  load(): { readonly underway: number; readonly waiting: number }
}

/**
 * Lets at most `atOnce` ask the database at once, and at most `waitingAtMost` wait for it, each for `waitMs` and in the
 * order they came. So a database that is slow, or blocked by somebody's lock, makes neither a queue without end nor work
 * for requests that were given up long ago.
 */
export function openTurns({
  atOnce,
  waitingAtMost,
  waitMs,
}: {
  readonly atOnce: number
  readonly waitingAtMost: number
  readonly waitMs: number
}): Turns {
  type Waiter = { readonly enter: () => void; readonly timer: NodeJS.Timeout }
  let taken = 0
  const queue = new Set<Waiter>()

  function end(): void {
    // The turn is handed on without becoming free, so that nobody who comes now can overtake the queue.
    const [next] = queue
    if (next === undefined) {
      taken -= 1
      return
    }
    queue.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }

  async function waitForTurn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      queue.delete(waiter)
      reject(new StorageUnavailable(`The database is busy: no connection became free within ${waitMs} ms.`))
    }, waitMs)
    const waiter: Waiter = { enter: resolve, timer }
    queue.add(waiter)
    await promise
  }

  return {
    load: () => ({ underway: taken, waiting: queue.size }),
    async take() {
      if (taken < atOnce) taken += 1
      else if (queue.size < waitingAtMost) await waitForTurn()
      else throw new StorageUnavailable(`The database is busy: ${queue.size} requests wait for it already.`)
      return end
    },
  }
}
