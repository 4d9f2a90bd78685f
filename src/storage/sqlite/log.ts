/**
 * Keeps the write-ahead log of SQLite small. SQLite copies its pages to the database by itself, but begins it anew only in a
 * moment without readers: under constant readers it would grow for ever. Runs in the writer thread.
 */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Above this it is begun anew. In ordinary service it stays at a quarter of that. */
export const logLimitBytes = 16 * 1024 * 1024
/** How long readers are waited for; nobody can write meanwhile. New ones do not use the log once all of it was copied. */
const waitForReadersMs = 100
/** How long it is not tried again after an attempt that readers held up; twice as long after each further one. */
const againAfterMs = { first: 250, atMost: 8_000 }

export const logOf = (file: string): string => `${file}-wal`

/** 0: there is none. */
export function logBytes(file: string): number {
  return statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0
}

/** A function to be called after every batch: it looks at the size of the log, and empties it when that is needed. */
export function logKeeper(file: string, busyTimeoutMs: number): (db: DatabaseSync) => void {
  let notBeforeMs = 0
  let pauseMs = againAfterMs.first
  const giveWay = (nowMs: number): void => {
    notBeforeMs = nowMs + pauseMs
    pauseMs = Math.min(2 * pauseMs, againAfterMs.atMost)
  }
  return (db) => {
    const nowMs = performance.now()
    if (nowMs < notBeforeMs || logBytes(file) <= logLimitBytes) return
    db.exec(`PRAGMA busy_timeout = ${waitForReadersMs}`)
    try {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      if (busy === 0) pauseMs = againAfterMs.first
      else giveWay(nowMs)
    } catch {
      // A full disk, or another process at the same: the log serves as it is.
      giveWay(nowMs)
    } finally {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    }
  }
}
