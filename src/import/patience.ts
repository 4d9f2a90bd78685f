/** Waits for a database that does not answer in time, as under load or during a failover. */

export type Patience = {
  /** Runs what may be run again until it is answered. */
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits after the failure that is the nth in a row, from 0. Throws it if it does not pass, or was waited for long enough. */
  readonly wait: (error: unknown, failures: number) => Promise<void>
}

/** Seconds between attempts: three minutes, longer than a failover takes. */
const pauses = [1, 2, 5, 10, 20, 40, 60, 60]

type PatienceOptions = {
  /** Whether an error may pass by itself. */
  readonly isPassing: (error: unknown) => error is Error
  readonly pause: (ms: number) => Promise<unknown>
  /** Is told why an attempt failed and after how many seconds the next one begins, once while several wait. */
  readonly say: (reason: string, seconds: number) => void
}

export function openPatience({ isPassing, pause, say }: PatienceOptions): Patience {
  let waiting = 0

  async function wait(error: unknown, failures: number): Promise<void> {
    const seconds = pauses[failures]
    if (!isPassing(error) || seconds === undefined) throw error
    if (waiting === 0) say(error.message, seconds)
    waiting += 1
    try {
      await pause(seconds * 1000)
    } finally {
      waiting -= 1
    }
  }

  return {
    wait,
    async ask(work) {
      for (let failures = 0; ; failures += 1) {
        try {
          return await work()
        } catch (error) {
          await wait(error, failures)
        }
      }
    },
  }
}

/**
 * Runs a commit that says whether it applied, again until it is answered. One without an answer may have been stored, and then
 * the next one does not apply: `isStored` finds out.
 */
export async function commitOnce(
  { ask }: Patience,
  commit: () => Promise<boolean>,
  isStored: () => Promise<boolean>,
): Promise<boolean> {
  let attempts = 0
  return ask(async () => {
    attempts += 1
    return (await commit()) || (attempts > 1 && (await isStored()))
  })
}

/** For a run that may fail at once. */
export const impatient: Patience = {
  ask: (work) => work(),
  async wait(error) {
    throw error
  },
}
