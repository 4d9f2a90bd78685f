/** Waits for the database at the start. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StorageUnavailable } from '../storage/port/unavailable.ts'

/** Pause between attempts. */
const retryDelayMs = 1000
/** How often an unchanged reason is logged. */
const logIntervalMs = 10_000

type Waiting = {
  /** How long to wait for a database that may become available; 0: not at all. */
  readonly seconds: number
  /** Ends the wait. */
  readonly stopped: Promise<NodeJS.Signals>
  readonly log: Logger
}

/**
 * Returns what retries a part of the start until it succeeds. It returns undefined if the process was told to stop meanwhile. It
 * rejects at once with an error that an operator must fix, and with a temporary one after `seconds`, which all parts share.
 */
export function databaseWait({ seconds, stopped, log }: Waiting) {
  const stopping = new AbortController()
  void stopped.then((signal) => stopping.abort(signal))
  const startedAtMs = performance.now()
  let logged: { readonly reason: string; readonly atMs: number } | undefined
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      try {
        return await work()
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
