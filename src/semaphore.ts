/** Bounds how much work runs at once and how much waits. Waiting work starts in order of arrival. */

export type Semaphore = {
  /**
   * Settles like `work`. If the queue is full or the wait too long, never calls `work` and rejects with the error of
   * `refusal`.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  load(): { readonly running: number; readonly waiting: number }
}

export type SemaphoreOptions = {
  readonly running: number
  readonly waiting: number
  /** Longest wait in milliseconds; unbounded by default. */
  readonly waitMs?: number
  /** Creates the error for work that gets no place. */
  readonly refusal: (reason: 'full' | 'late') => Error
}

type Waiter = { readonly enter: () => void; readonly timer: NodeJS.Timeout | undefined }

export function openSemaphore({ running, waiting, waitMs, refusal }: SemaphoreOptions): Semaphore {
  let taken = 0
  const queue = new Set<Waiter>()

  function release(): void {
    // The place passes to the first in the queue without becoming free, so that a newcomer cannot overtake it.
    const [next] = queue
    if (next === undefined) {
      taken -= 1
      return
    }
    queue.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }

  function waitForPlace(): Promise<void> {
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
      else if (queue.size < waiting) await waitForPlace()
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
