/** What a running service does by itself: follows changes of the key ring, and removes what has expired. */
import type { Logger } from 'pino'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Storage } from '../storage/port.ts'

/** Far shorter than the time for which a new key is published before it is used. */
const keysEveryMs = 10_000
const sweepEveryMs = 60_000
/** Of each kind and turn: a small write that nobody who waits for an answer will notice. */
const sweepLimit = 500

export type Housekeeping = {
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>
}

export function startHousekeeping(keys: KeyRing, storage: Storage, clock: () => number, log: Logger): Housekeeping {
  const tasks = [
    repeat(keysEveryMs, () => keys.refresh(0), 'the key ring could not be read again', log),
    repeat(
      sweepEveryMs,
      async () => {
        const removed = await storage.sweep(clock(), sweepLimit)
        if (removed > 0) log.debug({ removed }, 'removed what had expired')
      },
      'what has expired could not be removed',
      log,
    ),
  ]
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}

/** Runs `work` again and again, never twice at once. A failure is logged, and the next turn tries again. */
function repeat(everyMs: number, work: () => Promise<void>, failure: string, log: Logger): Housekeeping {
  let turn: Promise<void> | undefined
  const timer = setInterval(() => {
    turn ??= work()
      .catch((error: Error) => log.warn({ reason: error.message }, failure))
      .finally(() => {
        turn = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await turn
    },
  }
}
