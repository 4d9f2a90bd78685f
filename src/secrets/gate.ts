import { availableParallelism } from 'node:os'

/** Runs work of which only so much may go on at once, in the order it came. */
export type Gate = {
  /** Rejects at once when the queue is full; otherwise settles as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** How much work is going on, and how much waits for it. */
  load(): { readonly running: number; readonly waiting: number }
}

/** Hashes of passwords that are computed at once: each takes 19 MiB and a processor. */
export const hashesAtOnce = Math.min(availableParallelism(), 4)

/** At most `running` pieces of work at once, at most `waiting` more in the queue; `refusal` makes the error beyond that. */
export function openGate({
  running,
  waiting,
  refusal,
}: {
  readonly running: number
  readonly waiting: number
  readonly refusal: () => Error
}): Gate {
  let active = 0
  const queue: (() => void)[] = []
  return {
    load: () => ({ running: active, waiting: queue.length }),
    async run(work) {
      if (active < running) active += 1
      else if (queue.length < waiting) await new Promise<void>((enter) => queue.push(enter))
      else throw refusal()
      try {
        return await work()
      } finally {
        // The place is handed on without becoming free, so that nobody who comes now can overtake the queue.
        const next = queue.shift()
        if (next === undefined) active -= 1
        else next()
      }
    },
  }
}
