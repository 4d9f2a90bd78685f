/** Bounds how much work runs at once and how much waits for it. The waiting work runs in order of arrival. */

export type Semaphore = {
  /**
   * Settles as `work` does. Rejects with the error of `refusal`, and never calls `work`, when the queue is full or the wait
   * took too long.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  load(): { readonly running: number; readonly waiting: number }
}

export type SemaphoreOptions = {
  readonly running: number
  readonly waiting: number
  /** Longest wait in milliseconds; unbounded by default. */
  readonly waitMs?: number
  /** Makes the error for work that does not get a place. */
  readonly refusal: (reason: 'full' | 'late') => Error
}

type Waiter = { readonly enter: () => void; readonly timer: NodeJS.Timeout | undefined }

export function openSemaphore({ running, waiting, waitMs, refusal }: SemaphoreOptions): Semaphore {
  let taken = 0
  const queue = new Set<Waiter>()

  function release(): void {
    // The place goes to the first in the queue without becoming free, so that no newcomer can overtake it.
    const [next] = queue
    if (next === undefined) {
      taken -= 1
      return
    }
    queue.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }

  function turn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      queue.delete(waiter)
      reject(refusal('late'))
    }
    const waiter: Waiter = { enter: resolve, timer: waitMs === undefined ? undefined : setTimeout(giveUp, waitMs) }
    queue.add(waiter)
    return promise
  }

  return {
    async run(work) {
      if (taken < running) taken += 1
      else if (queue.size < waiting) await turn()
      else throw refusal('full')
      try {
        return await work()
      } finally {
        release()
      }
    },
    load: () => ({ running: taken, waiting: queue.size }),
  }
}
