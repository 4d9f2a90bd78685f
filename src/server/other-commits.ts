/** Notices commits of other processes to an embedded database without asking: they change its write-ahead log. */
import { statSync, watch } from 'node:fs'
import type { DatabaseSettings } from '../settings/settings.ts'
import type { BeginRest } from './repeating.ts'

const nothing = () => {}

/**
 * Calls back when something is committed, until the returned function is called. Where the system reports no changes, such as on a
 * network drive, nothing is noticed.
 */
export function otherCommits(database: DatabaseSettings): BeginRest {
  if (database.kind !== 'sqlite') return () => nothing
  return (committed) => {
    const log = `${database.file}-wal`
    try {
      const before = statSync(log).mtimeMs
      // Whoever opens the database as root sets the owner of the log, which is reported, too.
      const watcher = watch(log, { persistent: false }, () => {
        if (statSync(log, { throwIfNoEntry: false })?.mtimeMs !== before) committed()
      })
      watcher.on('error', nothing)
      return () => watcher.close()
    } catch {
      return nothing
    }
  }
}
