/** Waits for the database at the start. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StorageUnavailable } from '../storage/port/unavailable.ts'

/** Pause between attempts. */
const retryDelayMs = 1000
/** How often an unchanged reason is logged. */
const logIntervalMs = 10_000
/** How long what is under way may take once the process was told to stop. No limit of PostgreSQL ends a commit that hangs. */
const graceMs = 5_000

type Waiting = {
  /** How long to wait for a database that may become available; 0: not at all. */
  readonly seconds: number
  /** Ends the wait. */
  readonly stopped: Promise<NodeJS.Signals>
  readonly log: Logger
}

/**
 * Returns what retries a part of the start until it succeeds. It returns undefined if the process was told to stop meanwhile; what
 * the database does not answer is left to it, and connections stay open. It rejects at once with an error that an operator must fix, and with a temporary one after `seconds`, which all parts share.
 */
export function databaseWait({ seconds, stopped, log }: Waiting) {
  const stopping = new AbortController()
  void stopped.then((signal) => stopping.abort(signal))
  const abandoned = stopped.then(() => pause(graceMs, 'abandoned' as const, { ref: false }))
  const startedAtMs = performance.now()
  let logged: { readonly reason: string; readonly atMs: number } | undefined
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      try {
        const outcome = await Promise.race([work().then((value) => ({ value })), abandoned])
        if (outcome !== 'abandoned') return outcome.value
        log.warn({ signal: stopping.signal.reason }, 'stopping, though the database has not answered')
        return undefined
      } catch (error) {
        const waitedMs = performance.now() - startedAtMs
        if (!(error instanceof StorageUnavailable && error.isPassing) || seconds === 0) throw error
        if (waitedMs >= seconds * 1000 && !stopping.signal.aborted) {
          throw new StorageUnavailable(`${error.message} The start waited ${seconds} s (Database:WaitAtStart).`)
        }
        const reason = error.message
        if (reason !== logged?.reason || waitedMs - logged.atMs >= logIntervalMs) {
          const waited = { waitedSeconds: Math.round(waitedMs / 1000), givesUpAfterSeconds: seconds }
          log.warn({ reason, ...waited }, 'the database is unreachable; waiting for it')
          logged = { reason, atMs: waitedMs }
        }
      }
      await pause(retryDelayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) {
        log.info({ signal: stopping.signal.reason }, 'stopping')
        return undefined
      }
    }
  }
}
