/**
 * Limits the size of SQLite's write-ahead log. SQLite checkpoints by itself, but restarts the log only in a moment
 * without readers: under constant reads it would grow without bound. Runs in the writer thread.
 */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** The log is truncated above this size. In normal operation it stays at a quarter of it. */
export const logLimitBytes = 16 * 1024 * 1024
/**
 * How long truncation waits for readers; writes are blocked meanwhile. New readers do not use a fully checkpointed log.
 */
const waitForReadersMs = 100
/** Delay before the next attempt when readers held one up; doubles with each further failure. */
const retryDelayMs = { first: 250, atMost: 8_000 }

export const logOf = (file: string): string => `${file}-wal`

/** Returns the size in bytes; 0 if there is no log. */
export function logBytes(file: string): number {
  return statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0
}

/** Returns a function to call after each batch. It truncates the log when its size requires it. */
export function logKeeper(file: string, busyTimeoutMs: number): (db: DatabaseSync) => void {
  let notBeforeMs = 0
  let pauseMs = retryDelayMs.first
  const postpone = (nowMs: number): void => {
    notBeforeMs = nowMs + pauseMs
    pauseMs = Math.min(2 * pauseMs, retryDelayMs.atMost)
  }
  return (db) => {
    const nowMs = performance.now()
    if (nowMs < notBeforeMs || logBytes(file) <= logLimitBytes) return
    db.exec(`PRAGMA busy_timeout = ${waitForReadersMs}`)
    try {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      if (busy === 0) pauseMs = retryDelayMs.first
      else postpone(nowMs)
    } catch {
      // A full disk, or another process doing the same: the log stays usable as it is.
      postpone(nowMs)
    } finally {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    }
  }
}
